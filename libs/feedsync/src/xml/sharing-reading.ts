import { readSyncTree } from './sync-tree.ts';
import { feedsyncVocabulary } from './vocabulary.ts';
import { feedsyncRules } from './rule.ts';
import { compareCodePoints } from '#core';
import { isDateTime } from '../engine/date-time.ts';
import { quote, checkAttributes, checkElements, holdsMarkup, readOnlySharing } from '#xml';
import { isSync } from './sync-tree.ts';
import type { Related, Sharing, Fragment, ViolationList, XmlElement } from '#xml';
import type { RuleName } from './rule.ts';

const absoluteUri = /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/;
/** The characters of an absolute-URI (RFC 3986 4.3), which has no fragment. */
const uriCharacters = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]*$/;

/** How long `since` and `until` may be, in UTF-16 code units: subscribers keep `until`. */
const maximumWindowLength = 4096;

/**
 * Reads `sx:sharing` (2.2) with its `sx:related` (2.3) from the children of `feed` or `channel` that are
 * FeedSync's. What can't be gone by is left out: a lone `since` or `until`, a `since` after its `until`, an
 * `until` that is too long to be kept, an `expires` that is no date-time, an `sx:related` without a known
 * `type` or without an absolute link. All violations are warnings. Throws `FeedError` if a child passes a
 * limit.
 */
export function readSharing(elements: readonly Fragment[]): ReturnType<typeof readOnlySharing> {
  return readOnlySharing(
    elements,
    feedsyncRules,
    feedsyncVocabulary,
    'sharing-multiple',
    readSyncTree,
    readOne,
  );
}

function readOne(root: XmlElement, violations: ViolationList<RuleName>): Sharing {
  const attribute = (name: string) => readAttribute(root, name, 'sharing-attribute-empty', violations);
  const window = readWindow(root, attribute('since'), attribute('until'), violations);
  let expires = attribute('expires');
  if (expires !== undefined && !isDateTime(expires)) {
    violations.add(
      root,
      'sharing-expires-format',
      'The value of expires is not a date-time in whole seconds and UTC such as 2005-05-21T09:43:33Z: ' +
        `${quote(expires)}.`,
    );
    expires = undefined;
  }
  checkElements(root.children, ['related'], violations, feedsyncVocabulary);
  checkAttributes(root, violations, feedsyncVocabulary);
  const related = root.children
    .filter((child) => isSync(child, 'related'))
    .map((child) => readRelated(child, violations))
    .filter((one) => one !== undefined);
  return { ...window, ...(expires !== undefined && { expires }), related };
}

function readWindow(
  root: XmlElement,
  since: string | undefined,
  until: string | undefined,
  violations: ViolationList<RuleName>,
): Pick<Sharing, 'since' | 'until'> {
  if (since === undefined && until === undefined) return {};
  if (since === undefined || until === undefined) {
    violations.add(
      root,
      'sharing-since-until',
      'Of since and until there is only one; both or neither are given.',
    );
    return {};
  }
  if (compareCodePoints(since, until) > 0) {
    violations.add(
      root,
      'sharing-since-after-until',
      `The value of since, ${quote(since)}, is greater than that of until, ${quote(until)}, by code point.`,
    );
    return {};
  }
  for (const [name, value] of Object.entries({ since, until })) {
    if (value.length > maximumWindowLength)
      violations.addLimit(
        root,
        'limit-window-length',
        `The value of ${name} has ${value.length} characters; at most ${maximumWindowLength} are kept ` +
          '(limit "windowLength").',
      );
  }
  return until.length > maximumWindowLength ? { since } : { since, until };
}

function readRelated(element: XmlElement, violations: ViolationList<RuleName>): Related | undefined {
  const attribute = (name: string) => readAttribute(element, name, 'related-attribute-empty', violations);
  const [link, type, title] = [attribute('link'), attribute('type'), attribute('title')];
  const { attributes } = element.tag;
  const add = (rule: RuleName, message: string) => violations.add(element, rule, message);
  if (attributes['link'] === undefined)
    add('related-link-required', 'An sx:related has a link; this one has none.');
  if (attributes['type'] === undefined)
    add('related-type-required', 'An sx:related has a type; this one has none.');
  if (title !== undefined && holdsMarkup(title))
    add('related-title-markup', `The value of title is plain text, without markup: ${quote(title)}.`);
  checkElements(element.children, [], violations, feedsyncVocabulary);
  checkAttributes(element, violations, feedsyncVocabulary);
  const isAbsolute = link !== undefined && absoluteUri.test(link);
  if (link !== undefined && !isAbsolute)
    add('related-link-absolute', `The link of an sx:related is an absolute URI, not ${quote(link)}.`);
  else if (link !== undefined && !uriCharacters.test(link))
    add(
      'related-link-syntax',
      'The link of an sx:related is an absolute-URI of RFC 3986, without a fragment and other characters ' +
        `than it allows: ${quote(link)}.`,
    );
  const isKnown = type === 'complete' || type === 'aggregated';
  if (type !== undefined && !isKnown)
    add('related-type-value', `The type of an sx:related is "complete" or "aggregated", not ${quote(type)}.`);
  return isAbsolute && isKnown ? { link, type, ...(title !== undefined && { title }) } : undefined;
}

/** The value of an attribute that is set to more than the empty string (2.1.2). */
function readAttribute(
  element: XmlElement,
  name: string,
  rule: 'sharing-attribute-empty' | 'related-attribute-empty',
  violations: ViolationList<RuleName>,
): string | undefined {
  const value = element.tag.attributes[name]?.value;
  if (value === '') violations.add(element, rule, `The value of ${name} is empty.`);
  return value === '' ? undefined : value;
}
