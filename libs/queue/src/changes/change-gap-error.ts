import { formatCursor } from '#contracts';

/** Changes that a group can't get any more. */
interface ChangeGap {
  readonly collection: string;
  /** The sequences of the first and the last change that are missing; none is known if the log is behind. */
  readonly from?: number;
  readonly to?: number;
  /** A sentence on how they were lost. */
  readonly reason: string;
}

/**
 * Changes of a collection that are neither in the stream nor in the log, or a log that is not the one which
 * the group has read so far. The message explains how to start over.
 */
export class ChangeGapError extends Error {
  override readonly name = 'ChangeGapError';
  readonly collection: string;
  /** The cursor of the first missing change, if it is known. */
  readonly from: string | undefined;
  /** The cursor of the last missing change, if it is known. */
  readonly to: string | undefined;

  constructor({ collection, from, to, reason }: ChangeGap) {
    const range = from === undefined || to === undefined ? undefined : [from, to].map(formatCursor);
    const missing = range
      ? `The changes ${range.join(' to ')} of the collection "${collection}" are missing.`
      : `The changes of the collection "${collection}" do not continue those that this group has read.`;
    super(
      `${missing} ${reason} To start over, stop the consumers of the group, note the cursor of the ` +
        `collection (GET /v1/collections/${collection}), read its items or its complete feed, set the ` +
        'place of the group to that cursor with setPlace() or "feedmesh events set-place", and start the ' +
        'consumers again.',
    );
    this.collection = collection;
    this.from = from === undefined ? undefined : formatCursor(from);
    this.to = to === undefined ? undefined : formatCursor(to);
  }
}
