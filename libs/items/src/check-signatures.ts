import { agreedSequence, clashesIn, isSameTime, recordAccepted, recordIssued } from '#feedsync';
import type { Clash } from '#feedsync';
import { nameOf } from '#core';
import type { Signature } from '#core';
import type { IssuedRecord } from '#core';
import type { Violation } from '#xml';
import type { Collection, SharedContent } from '#core';
import { issuedRecord } from './issued-records.ts';
import { sharingProtocolOf } from '#protocols';

/** What an item is refused for that someone else has signed as we do. */
export const notUniqueRule = 'endpoint-not-unique';

/** An item as it is here, with what was signed of it. */
export interface SignedItem {
  readonly content: SharedContent | undefined;
  readonly records: readonly IssuedRecord[] | undefined;
}

/**
 * Compares what an incoming version says of our endpoint with what was signed here, before the two are
 * merged. A version that has our present identifier for something that was not made here looks like our own
 * (FeedSync 2.1.1, 3.3): it must not be merged.
 *
 * Under an identifier that the collection had before, others are known to sign. Where such a version differs
 * from what was signed here under it, our versions from there on get the present identifier, so that neither
 * side's are taken for earlier ones of the other.
 * @param accepts whether versions that come after everything that was signed here are taken for our own,
 *   since a person says so
 * @returns the item to merge into, or what can't be
 */
export function checkSignatures(
  collection: Collection,
  item: SignedItem,
  incoming: SharedContent,
  accepts: boolean,
): SignedItem | Clash {
  const { endpoint, retiredEndpoints = [] } = collection;
  const signatures = sharingProtocolOf(collection).signatures(incoming, endpoint);
  let checked = item;
  if (signatures.length > 0) {
    const record = issuedRecord(collection, endpoint, item.records, item.content);
    const [clash] = clashesIn(record, signatures);
    const accepted = clash && accepts ? recordAccepted(record, endpoint, signatures) : undefined;
    if (clash !== undefined && accepted === undefined) return clash;
    if (accepted !== undefined) checked = { ...item, records: withRecord(item.records, accepted) };
  }
  for (const retired of retiredEndpoints) checked = resigned(collection, checked, incoming, retired);
  return checked;
}

/**
 * The item with our versions under the present identifier that the incoming version does not know, if it
 * has others in their place.
 */
function resigned(
  collection: Collection,
  item: SignedItem,
  incoming: SharedContent,
  retired: string,
): SignedItem {
  const { content, records } = item;
  const protocol = sharingProtocolOf(collection);
  const theirs = protocol.signatures(incoming, retired);
  if (content === undefined || theirs.length === 0) return item;
  const record = issuedRecord(collection, retired, records, content);
  if (record === undefined || clashesIn(record, theirs).length === 0) return item;
  const agreed = agreedSequence(record, theirs);
  const isMoved = (signature: Signature): boolean =>
    signature.sequence > agreed &&
    record.versions.some(
      (version) => version.sequence === signature.sequence && isSameTime(version, signature),
    );
  const moved = protocol.signatures(content, retired).filter(isMoved);
  if (moved.length === 0) return item;
  const to = collection.endpoint;
  let present = issuedRecord(collection, to, records, content);
  for (const signature of moved)
    if (clashesIn(present, [signature]).length > 0) present = recordIssued(present, to, signature);
  return {
    content: protocol.resign(content, { from: retired, to, isMoved }),
    // From now on what is signed like that is theirs, also in the same second.
    records: withRecord(
      withRecord(records, {
        ...record,
        versions: record.versions.filter(({ sequence }) => sequence <= agreed),
      }),
      present,
    ),
  };
}

function withRecord(
  records: readonly IssuedRecord[] = [],
  record: IssuedRecord | undefined,
): readonly IssuedRecord[] {
  return record === undefined ? records : [...records.filter(({ by }) => by !== record.by), record];
}

const reasons: Readonly<Record<Clash['kind'], string>> = {
  'never-issued': 'was not made here',
  'other-time': 'was made here at another time',
  'other-data': 'was made here with other content',
};

/** The violation that a clash is, at the item's place. */
export function clashViolation(
  { endpoint, key }: Collection,
  { kind, signature: { sequence, when } }: Clash,
  { line, column }: Pick<Violation, 'line' | 'column'>,
): Violation {
  const version = `version ${sequence}${when === undefined ? '' : ` of ${when}`}`;
  const message =
    `It is signed with the endpoint identifier of "${nameOf(key)}", ${endpoint}, ` +
    `but its ${version} ${reasons[kind]}: ` +
    'someone else signs with the same identifier, which must be unique (FeedSync 2.1.1). ' +
    'Give one of the two another one: feedmesh collection endpoint.';
  return { rule: notUniqueRule, section: 'FeedSync 2.1.1', message, severity: 'error', line, column };
}
