import { z } from 'zod';
import { itemEvent, itemEventExample } from './item-event.ts';
import { contracts } from './registry.ts';
import type { Described } from './registry.ts';
import { subscriptionEvent } from './subscription-event.ts';

/** A change to an item or a subscription, whose `type` says which `data` it has: CloudEvents 1.0. */
export const changeEvent = z
  .discriminatedUnion('type', [itemEvent, subscriptionEvent])
  .register(contracts, { id: 'ChangeEvent', version: 1, example: itemEventExample });
export type ChangeEvent = Described<typeof changeEvent>;

/** Sequences as text: 16 digits, so that they sort by code point. Takes 0 to 2^53-1. */
export function formatCursor(sequence: number): string {
  return String(sequence).padStart(16, '0');
}

/** The sequence that a cursor stands for; undefined for anything that `formatCursor` does not write. */
export function parseCursor(cursor: string): number | undefined {
  if (!/^\d{16}$/.test(cursor)) return undefined;
  const sequence = Number(cursor);
  return Number.isSafeInteger(sequence) ? sequence : undefined;
}
