import { elementsIn, readPlainElement } from '../conformance/plain/plain-element.ts';
import type { PlainElement } from '../conformance/plain/plain-element.ts';
import {
  atom,
  contentModule,
  dublinCore,
  Faults,
  isAbsoluteUri,
  isDateTime,
  isMediaType,
  isRfc822,
  named,
  relativeReferencesIn,
  textIn,
} from './faults.ts';

const channelNames = [
  'title',
  'link',
  'description',
  'language',
  'copyright',
  'lastBuildDate',
  'pubDate',
  'category',
  'generator',
  'docs',
  'ttl',
  'image',
  'item',
];
const itemNames = [
  'title',
  'link',
  'description',
  'author',
  'category',
  'comments',
  'enclosure',
  'guid',
  'pubDate',
  'source',
];
const repeatable = ['category', 'item'];

/**
 * What is wrong with an RSS feed for feed readers: by RSS 2.0, its best practices profile, and what common
 * readers need.
 * @param url where the feed is
 */
export function rssFaults(xml: string, url: string): string[] {
  const faults = new Faults();
  const rss = readPlainElement(xml);
  const [channel, second] = named(rss, '', 'channel');
  faults.expect(
    rss.name === 'rss' && rss.namespace === '' && rss.attributes['version'] === '2.0',
    'document',
    'is not RSS 2.0',
  );
  faults.expect(channel !== undefined && second === undefined, 'document', 'has not one channel');
  // Readers that know no namespaces take an unprefixed link for one of RSS.
  faults.expect(!/<[a-z]+ xmlns=/i.test(xml), 'document', 'sets a default namespace');
  for (const name of ['title', 'link', 'category'])
    for (const [, raw = ''] of xml.matchAll(new RegExp(`<${name}[^>]*>([^]*?)</${name}>`, 'g')))
      faults.expect(
        !/&(?:amp|lt);/.test(raw),
        'document',
        `has plain characters in ${name} that a reader may take for markup: ${raw}`,
      );
  if (channel !== undefined) checkChannel(channel, url, faults);
  return faults.all;
}

function checkChannel(channel: PlainElement, url: string, faults: Faults): void {
  checkNames(channel, channelNames, 'channel', faults);
  for (const name of ['title', 'link', 'description'])
    faults.expect(text(channel, name).trim() !== '', 'channel', `has no ${name}`);
  faults.expect(isAbsoluteUri(text(channel, 'link')), 'channel', `has the link ${text(channel, 'link')}`);
  faults.expect(
    isRfc822(text(channel, 'lastBuildDate')),
    'channel',
    `has the lastBuildDate ${text(channel, 'lastBuildDate')}`,
  );
  faults.expect(
    named(channel, atom, 'link').some(
      ({ attributes }) =>
        attributes['rel'] === 'self' &&
        attributes['href'] === url &&
        attributes['type'] === 'application/rss+xml',
    ),
    'channel',
    'does not say where it is',
  );
  const items = named(channel, '', 'item');
  faults.expect(
    elementsIn(channel)
      .slice(-items.length || Infinity)
      .every(({ name }) => name === 'item'),
    'channel',
    'has metadata after its first item',
  );
  const ids = items.map((item) => text(item, 'guid'));
  faults.expect(new Set(ids).size === ids.length, 'channel', 'has two items with the same guid');
  for (const [number, item] of items.entries()) checkItem(item, `item ${number}`, faults);
}

function checkItem(item: PlainElement, where: string, faults: Faults): void {
  checkNames(item, itemNames, where, faults);
  faults.expect(text(item, 'title').trim() !== '', where, 'has no title');
  for (const link of named(item, '', 'link'))
    faults.expect(isAbsoluteUri(textIn(link)), where, `has the link ${textIn(link)}`);
  const [guid] = named(item, '', 'guid');
  faults.expect(
    guid?.attributes['isPermaLink'] === 'false' || isAbsoluteUri(text(item, 'guid')),
    where,
    'has a guid that is no permanent link and does not say so',
  );
  faults.expect(text(item, 'guid') !== '', where, 'has no guid');
  faults.expect(isRfc822(text(item, 'pubDate')), where, `has the pubDate ${text(item, 'pubDate')}`);
  for (const updated of named(item, atom, 'updated'))
    faults.expect(isDateTime(textIn(updated)), where, `has the atom:updated ${textIn(updated)}`);
  for (const category of named(item, '', 'category')) {
    const { domain } = category.attributes;
    faults.expect(textIn(category).trim() !== '', where, 'has a blank category');
    faults.expect(
      domain === undefined || isAbsoluteUri(domain),
      where,
      `has a category of the domain ${domain}`,
    );
  }
  for (const { attributes } of named(item, '', 'enclosure')) {
    faults.expect(
      /^https?:/.test(attributes['url'] ?? '') && isAbsoluteUri(attributes['url'] ?? ''),
      where,
      `has the enclosure ${attributes['url']}`,
    );
    faults.expect(
      /^\d+$/.test(attributes['length'] ?? '') && isMediaType(attributes['type'] ?? ''),
      where,
      `has an enclosure of the length ${attributes['length']} and type ${attributes['type']}`,
    );
  }
  for (const html of [...named(item, '', 'description'), ...named(item, contentModule, 'encoded')]) {
    faults.expect(textIn(html).trim() !== '', where, `has a blank ${html.name}`);
    faults.expect(
      relativeReferencesIn(textIn(html)).length === 0,
      where,
      `has relative references: ${relativeReferencesIn(textIn(html)).join(' ')}`,
    );
  }
  const names = elementsIn(item).map(({ name }) => name);
  faults.expect(
    !names.includes('encoded') ||
      (names.includes('description') && names.indexOf('description') < names.indexOf('encoded')),
    where,
    'has content:encoded before its description',
  );
}

function checkNames(element: PlainElement, names: readonly string[], where: string, faults: Faults): void {
  const foreign: Readonly<Record<string, readonly string[]>> = {
    [atom]: ['link', 'updated'],
    [contentModule]: ['encoded'],
    [dublinCore]: ['creator'],
    'http://search.yahoo.com/mrss/': ['thumbnail'],
  };
  for (const child of elementsIn(element)) {
    const known = child.namespace === '' ? names : (foreign[child.namespace] ?? []);
    faults.expect(known.includes(child.name), where, `holds {${child.namespace}}${child.name}`);
    faults.expect(
      child.namespace !== '' || child.name === 'item' || elementsIn(child).length === 0,
      where,
      `has elements in its ${child.name}`,
    );
  }
  for (const name of names)
    faults.expect(
      repeatable.includes(name) || named(element, '', name).length <= 1,
      where,
      `has more than one ${name}`,
    );
}

function text(element: PlainElement, name: string): string {
  const [child] = named(element, '', name);
  return child === undefined ? '' : textIn(child);
}
