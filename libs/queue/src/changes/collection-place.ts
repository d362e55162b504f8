import { formatCursor } from '#contracts';
import type { Delivery } from './delivery.ts';

/** Where a group is after an event. */
interface PlaceAfter {
  readonly sequence: number;
  readonly time: string;
}

/** Writes how far a group is; without a sequence it begins with the oldest kept change. */
export function placeValue(sequence: number | undefined, createdAt = '', time = ''): string {
  return `${sequence === undefined ? '' : formatCursor(sequence)} ${createdAt} ${time}`;
}

/** How far a group has come with one collection. */
export class CollectionPlace {
  /** The last sequence before which nothing is left to do; undefined: the oldest kept change comes first. */
  handled: number | undefined;
  /** The last sequence that was delivered. */
  delivered: number | undefined;
  /** A sequence that the collection has; above `delivered`, the log is read up to it. */
  wanted = 0;
  /** How often the log was read without bringing what is wanted. */
  emptyReads = 0;
  /** The `time` of the event at `handled`, if this group has handled it. */
  time: string | undefined;
  /** When the collection was created, once it is known. */
  createdAt: string | undefined;
  /** The `source` of the last event that came by the stream. */
  source: string | undefined;
  /** Whether the stream may have become another installation's: nothing is delivered until that is known. */
  isSuspect = false;
  /** What was delivered above `handled`, by sequence, in order. */
  readonly open = new Map<number, Delivery>();

  /** @param text as `value` writes it; empty: begins with the oldest kept change */
  constructor(text: string) {
    const [cursor, createdAt, time] = text.split(' ').map((part) => (part === '' ? undefined : part));
    this.handled = this.delivered = cursor === undefined ? undefined : Number(cursor);
    this.createdAt = createdAt;
    this.time = time;
  }

  get isBehind(): boolean {
    return this.wanted > (this.delivered ?? 0);
  }

  /** What Redis keeps of it, once this event is handled. */
  value({ sequence = this.handled, time = this.time }: Partial<PlaceAfter> = {}): string {
    return placeValue(sequence, this.createdAt, time);
  }

  /** The deliveries that have ended, up to the first one that has not. */
  ended(): Delivery[] {
    const all = [...this.open.values()];
    const first = all.findIndex(({ hasEnded }) => !hasEnded);
    return first === -1 ? all : all.slice(0, first);
  }
}
