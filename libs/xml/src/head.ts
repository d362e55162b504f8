import { ViolationList } from './violation-list.ts';
import type { Violation } from './violation.ts';
import type { FeedHead } from './feed.ts';
import type { Fragment } from './fragment.ts';
import { formatNamespace } from './namespace.ts';
import { checkElements } from './rule-markup.ts';
import { readSharing } from './sharing.ts';
import { readSseSharing } from './sse/sharing-reading.ts';
import { sseVocabulary } from './sse/vocabulary.ts';
import { readContent } from './text-content.ts';
import { readTree } from './tree.ts';

/**
 * What the children of `feed`, `channel` or `head` say. Throws `FeedError` where one of the dialect's passes
 * a limit.
 * @param sync those in the namespace of the dialect
 * @param misplaced elements of the dialect that stand beside the head and are not in an item, which SSE
 *   warns of
 */
export function readHead(
  read: Pick<FeedHead, 'format' | 'dialect' | 'children' | 'scope'>,
  sync: readonly Fragment[],
  misplaced: readonly Fragment[],
): FeedHead {
  const { format, dialect, children, scope } = read;
  const textOf = (name: string) => {
    const child = children.find(
      (child) => child.name === name && child.namespace === formatNamespace(format),
    );
    return child === undefined ? undefined : readContent(child, scope).text.trim();
  };
  const title = textOf('title');
  const ttl = format === 'rss' ? textOf('ttl') : undefined;
  const { sharing, violations } = dialect === 'sse' ? readSseSharing(sync) : readSharing(sync);
  return {
    ...read,
    ...(title !== undefined && { title }),
    ...(sharing !== undefined && { sharing }),
    ...(ttl !== undefined && /^[0-9]{1,9}$/.test(ttl) && { ttl: Number(ttl) }),
    violations: dialect === 'sse' ? [...violations, ...misplaced.flatMap(misplacement)] : violations,
  };
}

function misplacement(fragment: Fragment): readonly Violation[] {
  const violations = new ViolationList(fragment);
  checkElements([readTree(fragment.xml)], [], violations, sseVocabulary);
  return violations.all;
}
