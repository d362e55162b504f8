import type { IssuedRecord, Signature } from '#core';
/** How many versions a record keeps. */
const keptVersions = 20;

/** What an incoming version says of ours that can't be: why it is another who signs as we do (2.1.1). */
export interface Clash {
  readonly kind: 'never-issued' | 'other-time' | 'other-data';
  readonly signature: Signature;
}

/** Adds a version that was signed here. */
export function recordIssued(record: IssuedRecord | undefined, by: string, issued: Signature): IssuedRecord {
  const { highest, completeAbove, versions } = record ?? { highest: 0, completeAbove: 0, versions: [] };
  const all = [issued, ...versions].toSorted((one, other) => other.sequence - one.sequence);
  const dropped = all[keptVersions]?.sequence ?? 0;
  return {
    by,
    highest: Math.max(highest, issued.sequence),
    completeAbove: Math.max(completeAbove, dropped),
    versions: all.slice(0, keptVersions),
  };
}

/**
 * What was signed, as far as the histories of the item tell: for items that were edited before there were
 * records. Undefined if they have nothing by this endpoint.
 * @param signatures all that the item has by this endpoint
 */
export function recordOfHistory(by: string, signatures: readonly Signature[]): IssuedRecord | undefined {
  let record: IssuedRecord | undefined;
  for (const signature of signatures) {
    const known = record?.versions.find(
      (version) => version.sequence === signature.sequence && isSameTime(version, signature),
    );
    if (known?.mark !== undefined || (known !== undefined && signature.mark === undefined)) continue;
    record = recordIssued(
      known === undefined || record === undefined ? record : without(record, known),
      by,
      signature,
    );
  }
  // Histories may have been cleaned up (3.2), so that they say nothing of what they do not have.
  return record && { ...record, completeAbove: record.highest };
}

function without(record: IssuedRecord, version: Signature): IssuedRecord {
  return { ...record, versions: record.versions.filter((other) => other !== version) };
}

/** Whether two signatures have the same time. A missing one is the same as any. */
export function isSameTime({ when: one }: Signature, { when: other }: Signature): boolean {
  return one === undefined || other === undefined || one === other || Date.parse(one) === Date.parse(other);
}

/** What a version says of this endpoint that can't be, in the order of its signatures. */
export function clashesIn(record: IssuedRecord | undefined, signatures: readonly Signature[]): Clash[] {
  return signatures.flatMap((signature) => {
    const kind = clashOf(record, signature);
    return kind === undefined ? [] : [{ kind, signature }];
  });
}

function clashOf(record: IssuedRecord | undefined, signature: Signature): Clash['kind'] | undefined {
  if (record === undefined || signature.sequence > record.highest) return 'never-issued';
  const sameNumber = record.versions.filter(({ sequence }) => sequence === signature.sequence);
  if (sameNumber.length === 0) return signature.sequence > record.completeAbove ? 'never-issued' : undefined;
  const sameTime = sameNumber.filter((version) => isSameTime(version, signature));
  if (sameTime.length === 0) return 'other-time';
  return sameTime.every((version) => isOtherData(version.mark, signature.mark)) ? 'other-data' : undefined;
}

/**
 * Whether a part that both know is another one. Publishers may leave parts out, so a missing one says
 * nothing.
 */
function isOtherData(one: Signature['mark'], other: Signature['mark']): boolean {
  if (one === undefined || other === undefined) return false;
  return one.some((part, index) => part !== '' && (other[index] ?? '') !== '' && part !== other[index]);
}

/**
 * Up to which sequence two that sign alike have the same versions: the highest one that both know, below all
 * that they differ in. 0 if there is none.
 */
export function agreedSequence(record: IssuedRecord | undefined, signatures: readonly Signature[]): number {
  let first = Infinity;
  for (const { signature } of clashesIn(record, signatures)) first = Math.min(first, signature.sequence);
  let agreed = 0;
  for (const { sequence } of signatures) if (sequence < first) agreed = Math.max(agreed, sequence);
  return agreed;
}

/**
 * The record once the versions of another who signed alike are taken for our own: undefined unless all of
 * them come after everything that was signed here, so that none can hide one of ours.
 */
export function recordAccepted(
  record: IssuedRecord | undefined,
  by: string,
  signatures: readonly Signature[],
): IssuedRecord | undefined {
  const clashes = clashesIn(record, signatures);
  const highest = record?.highest ?? 0;
  if (clashes.some(({ kind, signature }) => kind !== 'never-issued' || signature.sequence <= highest))
    return undefined;
  const accepted = clashes.reduce<IssuedRecord | undefined>(
    (known, { signature }) =>
      clashesIn(known, [signature]).length === 0 ? known : recordIssued(known, by, signature),
    record,
  );
  // Between these, others may have been signed elsewhere that are yet to come.
  return accepted && { ...accepted, completeAbove: accepted.highest };
}
