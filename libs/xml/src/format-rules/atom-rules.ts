import { readAttributes, readContent } from '../text-content.ts';
import { checkConstructs, elementsIn, needsSummary } from './atom-constructs.ts';
import type { FormatViolations } from './format-violations.ts';
import { childrenCalled } from './located.ts';
import type { LocatedChild, LocatedElement } from './located.ts';

const required = ['id', 'title', 'updated'];
const onceInFeed = [...required, 'generator', 'icon', 'logo', 'rights', 'subtitle'];
const onceInEntry = [...required, 'content', 'published', 'rights', 'source', 'summary'];

/** Checks a feed without its entries (RFC 4287 4.1.1). */
export function checkFeed(feed: LocatedElement, violations: FormatViolations): void {
  for (const name of required)
    if (childrenCalled(feed, name).length === 0)
      violations.add(feed, 'atom-feed-required', `A feed has one "${name}"; this one has none.`);
  violations.addRepeated(feed, onceInFeed, 'atom-feed-multiple');
  checkAlternates(feed, 'atom-feed-alternate', violations);
  checkConstructs(feed, violations);
}

/**
 * Checks an entry (4.1.2), but for its author, which may be that of the feed.
 * @param isSynced whether it has synchronisation data: it may lack anything then, for its publisher must not
 *   add what the item does not have
 */
export function checkEntry(entry: LocatedElement, isSynced: boolean, violations: FormatViolations): void {
  if (!isSynced) checkPresence(entry, violations);
  violations.addRepeated(entry, onceInEntry, 'atom-entry-multiple');
  checkAlternates(entry, 'atom-entry-alternate', violations);
  checkConstructs(entry, violations);
}

function checkPresence(entry: LocatedElement, violations: FormatViolations): void {
  for (const name of required)
    if (childrenCalled(entry, name).length === 0)
      violations.add(entry, 'atom-entry-required', `An entry has one "${name}"; this one has none.`);
  const [content] = childrenCalled(entry, 'content');
  if (content === undefined && !childrenCalled(entry, 'link').some(isAlternate))
    violations.add(
      entry,
      'atom-entry-content',
      'An entry without content has a link of the relation "alternate".',
    );
  const hasSummary = childrenCalled(entry, 'summary').length > 0;
  if (content !== undefined && !hasSummary && needsSummary(readContent(content.xml)))
    violations.add(
      content,
      'atom-entry-summary',
      'An entry whose content stands elsewhere, or is in Base64, has a summary.',
    );
}

/** Whether an entry says itself, or by its source, who its author is. */
export function hasAuthor(entry: LocatedElement): boolean {
  const { namespace, scope } = entry;
  return (
    childrenCalled(entry, 'author').length > 0 ||
    childrenCalled(entry, 'source').some((source) =>
      elementsIn(source, scope).includes(`${namespace} author`),
    )
  );
}

/** Reports alternate links of the same type and language. */
function checkAlternates(
  element: LocatedElement,
  rule: 'atom-feed-alternate' | 'atom-entry-alternate',
  violations: FormatViolations,
): void {
  const met = new Set<string>();
  for (const link of childrenCalled(element, 'link').filter(isAlternate)) {
    const { attributes } = readContent(link.xml);
    const key = `${attributes.get('type') ?? ''} ${attributes.get('hreflang') ?? ''}`.toLowerCase();
    if (met.has(key))
      violations.add(
        link,
        rule,
        'There is another link of the relation "alternate" with the same type and hreflang.',
      );
    met.add(key);
  }
}

function isAlternate({ xml }: LocatedChild): boolean {
  return (readAttributes(xml).get('rel') ?? 'alternate') === 'alternate';
}
