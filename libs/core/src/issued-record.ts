/** That an endpoint made a version: what one history entry says of it. */
export interface Signature {
  /** With SSE the item's version. */
  readonly sequence: number;
  /** RFC 3339 in whole seconds and UTC. */
  readonly when?: string;
  /**
   * What stands for the version's data, part by part in a fixed order; an empty text for a part that is
   * missing. Absent if the data is not known.
   */
  readonly mark?: readonly string[];
}

/**
 * What was signed here of one item under one endpoint identifier. It outlives the item, so that no sequence
 * is given twice.
 */
export interface IssuedRecord {
  readonly by: string;
  /** The highest sequence that was given. */
  readonly highest: number;
  /** Every version above this sequence is in `versions`; of those up to it some may be missing. */
  readonly completeAbove: number;
  /** The latest ones, the highest sequence first, at most 20. */
  readonly versions: readonly Signature[];
}

/** Which of an endpoint's signatures are to be under another identifier. */
export interface Resigning {
  readonly from: string;
  readonly to: string;
  readonly isMoved: (signature: Signature) => boolean;
}
