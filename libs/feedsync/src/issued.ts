/** How many versions a record keeps. */
const keptVersions = 20;

/** That an endpoint made a version: what one history entry says of it. */
export interface Signature {
  /** With SSE the item's version. */
  readonly sequence: number;
  /** RFC 3339 in whole seconds and UTC. */
  readonly when?: string;
  /**
   * What stands for the version's data, part by part in a fixed order; an empty text for a part that is missing. Absent where the data is
   * not known.
   */
  readonly mark?: readonly string[];
}

/** What was signed here of one item under one endpoint identifier. It outlives the item, so that no sequence is given twice. */
export interface IssuedRecord {
  readonly by: string;
  /** The highest sequence that was given. */
  readonly highest: number;
  /** Every version above this sequence is in `versions`; of those up to it some may be missing. */
  readonly completeAbove: number;
  /** The latest ones, the highest sequence first, at most 20. */
  readonly versions: readonly Signature[];
}

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
  return { by, highest: Math.max(highest, issued.sequence), completeAbove: Math.max(completeAbove, dropped), versions: all.slice(0, keptVersions) };
}

/**
 * What was signed, as far as the histories of the item tell: for items that were edited before there were records. Undefined where they
 * have nothing by this endpoint.
 * @param signatures all that the item has by this endpoint
 */
export function recordOfHistory(by: string, signatures: readonly Signature[]): IssuedRecord | undefined {
  let record: IssuedRecord | undefined;
  for (const signature of signatures) {
    const known = record?.versions.find((version) => version.sequence === signature.sequence && isSameTime(version, signature));
    if (known?.mark !== undefined || (known !== undefined && signature.mark === undefined)) continue;
    record = recordIssued(known === undefined || record === undefined ? record : without(record, known), by, signature);
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
