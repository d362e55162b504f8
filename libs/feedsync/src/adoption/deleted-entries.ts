import { rawAttributes, readDate } from '#xml';
import type { FeedHead } from '#xml';

const tombstoneNamespace = 'http://purl.org/atompub/tombstones/1.0';

/** An entry that a feed says is deleted. */
interface DeletedEntry {
  /** The `atom:id` that it had. */
  readonly ref: string;
  /** RFC 3339, whole seconds, UTC; absent if it is no date. */
  readonly when?: string;
}

/** Returns what a feed's `at:deleted-entry` elements say (RFC 6721 3). */
export function deletedEntries({ children }: Pick<FeedHead, 'children'>): readonly DeletedEntry[] {
  return children.flatMap(({ namespace, name, xml }) => {
    if (namespace !== tombstoneNamespace || name !== 'deleted-entry') return [];
    const said = new Map(rawAttributes(xml).map((attribute) => [attribute.name, attribute.value.trim()]));
    const ref = said.get('ref') ?? '';
    const when = readDate(said.get('when') ?? '')?.dateTime;
    return ref === '' ? [] : [{ ref, ...(when !== undefined && { when }) }];
  });
}
