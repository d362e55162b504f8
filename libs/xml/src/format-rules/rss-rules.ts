import { readDate } from '../date.ts';
import { readContent } from '../text-content.ts';
import type { Content } from '../text-content.ts';
import { isUrl } from '../url.ts';
import { quote } from '../violation-list.ts';
import type { FormatViolations } from './format-violations.ts';
import { childrenCalled } from './located.ts';
import type { LocatedChild, LocatedElement } from './located.ts';

const required = ['title', 'link', 'description'];
const optionalInChannel =
  'language copyright managingEditor webMaster pubDate lastBuildDate generator docs cloud ttl image rating ' +
  'textInput skipHours skipDays';
const onceInChannel = [...required, ...optionalInChannel.split(' ')];
const onceInItem = [...required, 'author', 'comments', 'guid', 'pubDate', 'source'];

/** Checks a channel without its items (RSS 2.0, "Required" and "Optional channel elements"). */
export function checkChannel(channel: LocatedElement, violations: FormatViolations): void {
  for (const name of required)
    if (childrenCalled(channel, name).length === 0)
      violations.add(channel, 'rss-channel-required', `A channel has one "${name}"; this one has none.`);
  violations.addRepeated(channel, onceInChannel, 'rss-channel-multiple');
  checkValues(channel, violations);
}

/**
 * Checks an item (RSS 2.0, "Elements of item").
 * @param isSynced whether it has synchronisation data: it may lack anything then, for its publisher must not
 *   add what the item does not have
 */
export function checkItem(item: LocatedElement, isSynced: boolean, violations: FormatViolations): void {
  const texts = ['title', 'description'].flatMap((name) => childrenCalled(item, name));
  if (texts.length === 0 && !isSynced)
    violations.add(item, 'rss-item-required', 'An item has a title or a description; this one has neither.');
  violations.addRepeated(item, onceInItem, 'rss-item-multiple');
  violations.addRepeated(item, ['enclosure'], 'rss-enclosure-multiple');
  checkValues(item, violations);
}

function checkValues(element: LocatedElement, violations: FormatViolations): void {
  const each = (names: readonly string[], check: (child: LocatedChild, content: Content) => void): void => {
    for (const name of names)
      for (const child of childrenCalled(element, name)) check(child, readContent(child.xml));
  };
  each(['enclosure'], (child, { attributes }) => {
    const missing = ['url', 'length', 'type'].filter((name) => !attributes.has(name));
    if (missing.length > 0)
      violations.add(child, 'rss-enclosure', `An enclosure has ${missing.map(quote).join(', ')}.`);
  });
  each(['source'], (child, { attributes }) => {
    if (!attributes.has('url')) violations.add(child, 'rss-source-url', 'A source has a "url".');
  });
  each(['guid'], (child, { attributes, text }) => {
    if (attributes.get('isPermaLink') !== 'false' && !isUrl(text.trim()))
      violations.add(
        child,
        'rss-guid',
        `The guid ${quote(text.trim())} is not a URL; another one has isPermaLink="false".`,
      );
  });
  each(['category'], (child, { text }) => {
    if (text.trim() === '') violations.add(child, 'rss-category', 'A category has a text.');
  });
  each(['link'], (child, { text }) => {
    if (!isUrl(text.trim())) violations.add(child, 'rss-link', `${quote(text.trim())} is not a URL.`);
  });
  each(['pubDate', 'lastBuildDate'], (child, { text }) => {
    if (readDate(text)?.isRfc822 !== true)
      violations.add(child, 'rss-date', `${quote(text.trim())} is not a date of RFC 822.`);
  });
}
