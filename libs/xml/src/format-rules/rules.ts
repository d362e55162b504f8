import { rulesOf } from '../violation.ts';
import type { Rule } from '../violation.ts';

const { error } = rulesOf('RFC 4287');
const rss = rulesOf('RSS 2.0');

/**
 * The rules of Atom 1.0 and RSS 2.0 whose violation can be seen in a document: `error` for a MUST of RFC 4287
 * and for an element or attribute that RSS 2.0 requires or has once, `warning` for how RSS 2.0 describes
 * values, of which it requires none. A subscription reads a feed that breaks them all the same. The names
 * stay the same over versions.
 */
export const formatRules = {
  'atom-text-type': error('3.1.1'),
  'atom-text-markup': error('3.1.1'),
  'atom-text-xhtml': error('3.1.1.3'),
  'atom-person-name': error('3.2.1'),
  'atom-date': error('3.3'),
  'atom-feed-required': error('4.1.1'),
  'atom-feed-multiple': error('4.1.1'),
  'atom-feed-alternate': error('4.1.1'),
  'atom-entry-required': error('4.1.2'),
  'atom-entry-multiple': error('4.1.2'),
  'atom-entry-alternate': error('4.1.2'),
  'atom-entry-author': error('4.1.2'),
  'atom-entry-content': error('4.1.2'),
  'atom-entry-summary': error('4.1.2'),
  'atom-content-type': error('4.1.3.1'),
  'atom-content-src': error('4.1.3.2'),
  'atom-category-term': error('4.2.2.1'),
  'atom-id': error('4.2.6'),
  'atom-link-href': error('4.2.7.1'),
  'rss-channel-required': rss.error('channel'),
  'rss-channel-multiple': rss.error('channel'),
  'rss-item-required': rss.error('item'),
  'rss-item-multiple': rss.error('item'),
  'rss-enclosure': rss.error('enclosure'),
  'rss-enclosure-multiple': rss.warning('enclosure'),
  'rss-source-url': rss.error('source'),
  'rss-guid': rss.warning('guid'),
  'rss-category': rss.warning('category'),
  'rss-link': rss.warning('link'),
  'rss-date': rss.warning('pubDate'),
} as const satisfies Record<string, Rule>;

export type FormatRule = keyof typeof formatRules;
