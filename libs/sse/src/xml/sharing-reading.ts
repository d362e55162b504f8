import { readSseTree } from './sync-tree.ts';
import type { SseRuleName } from './rule.ts';
import { sseRules } from './rule.ts';
import { compareCodePoints } from '#core';
import {
  resolveBase,
  quote,
  checkAttributes,
  checkElements,
  readOnlySharing,
  scopeOf,
  readDate,
  isUrl,
} from '#xml';
import { isSse } from './sync-tree.ts';
import type { Related, Sharing, Fragment, ViolationList, XmlElement } from '#xml';
import { sseVocabulary } from './vocabulary.ts';

/**
 * Reads `sx:sharing` (SSE 2.1) with its `sx:related` (2.2). What can't be gone by is left out: a date that
 * can't be read, an `until` before its `since`, a `window` that is no number, an `sx:related` without a known
 * `type` or without a link that is absolute or has a base. An empty date says what its absence says. All
 * violations are warnings. Throws `FeedError` if an element passes a limit.
 * @param elements the children of `channel` or `head` in the namespace of SSE.
 */
export function readSseSharing(elements: readonly Fragment[]): ReturnType<typeof readOnlySharing> {
  return readOnlySharing(elements, sseRules, sseVocabulary, 'sse-sharing-multiple', readSseTree, readOne);
}

function readOne(root: XmlElement, violations: ViolationList<SseRuleName>): Sharing {
  const { attributes } = root.tag;
  const since = readMoment(root, 'since', 'sse-sharing-since-format', violations);
  let until = readMoment(root, 'until', 'sse-sharing-until-format', violations);
  if (since !== undefined && until !== undefined && compareCodePoints(since, until) > 0) {
    violations.add(
      root,
      'sse-sharing-since-after-until',
      `The value of since, ${since}, is later than that of until, ${until}; until is skipped.`,
    );
    until = undefined;
  }
  const version = attributes['version']?.value || undefined;
  if (version === undefined)
    violations.add(
      root,
      'sse-sharing-version-required',
      'An sx:sharing has a version, such as "0.91"; this one has none.',
    );
  const days = attributes['window']?.value;
  const window = days !== undefined && /^[0-9]{1,9}$/.test(days) ? Number(days) : undefined;
  if (days !== undefined && window === undefined)
    violations.add(
      root,
      'sse-sharing-window-format',
      `The value of window is a whole number of days from 0 to 999999999, not ${quote(days)}.`,
    );
  checkElements(root.children, ['related'], violations, sseVocabulary);
  checkAttributes(root, violations, sseVocabulary);
  const related = root.children
    .filter((child) => isSse(child, 'related'))
    .map((child) => readRelated(child, violations))
    .filter((one) => one !== undefined);
  return {
    ...moments(since, until),
    ...(version !== undefined && { version }),
    ...(window !== undefined && { window }),
    related,
  };
}

function readRelated(element: XmlElement, violations: ViolationList<SseRuleName>): Related | undefined {
  const { attributes } = element.tag;
  const [written, type, title] = ['link', 'type', 'title'].map(
    (name) => attributes[name]?.value || undefined,
  );
  const add = (rule: SseRuleName, message: string) => violations.add(element, rule, message);
  if (written === undefined) add('sse-related-link-required', 'An sx:related has a link; this one has none.');
  if (type === undefined) add('sse-related-type-required', 'An sx:related has a type; this one has none.');
  const link = written === undefined ? undefined : resolveBase(scopeOf(element).base, written.trim());
  const isAbsolute = link !== undefined && isUrl(link);
  if (link !== undefined && !isAbsolute)
    add(
      'sse-related-link-absolute',
      `The link of an sx:related is an absolute URL, or has a base, not ${quote(written)}.`,
    );
  const isKnown = type === 'complete' || type === 'aggregated';
  if (type !== undefined && !isKnown)
    add(
      'sse-related-type-value',
      `The type of an sx:related is "complete" or "aggregated", not ${quote(type)}.`,
    );
  const since = readMoment(element, 'since', 'sse-related-since-format', violations);
  const until = readMoment(element, 'until', 'sse-related-until-format', violations);
  checkElements(element.children, [], violations, sseVocabulary);
  checkAttributes(element, violations, sseVocabulary);
  return isAbsolute && isKnown
    ? { link, type, ...(title !== undefined && { title }), ...moments(since, until) }
    : undefined;
}

function readMoment(
  element: XmlElement,
  name: 'since' | 'until',
  rule: SseRuleName,
  violations: ViolationList<SseRuleName>,
): string | undefined {
  const written = element.tag.attributes[name]?.value ?? '';
  if (written.trim() === '') return undefined;
  const date = readDate(written);
  if (date?.isStrict !== true)
    violations.add(
      element,
      rule,
      `The value of ${name} is a date such as "Sat, 21 May 2005 09:43:33 GMT", not ` +
        `${quote(written)}${date === undefined ? '' : `; it is read as ${date.dateTime}`}.`,
    );
  return date?.dateTime;
}

function moments(since: string | undefined, until: string | undefined): Pick<Sharing, 'since' | 'until'> {
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}
