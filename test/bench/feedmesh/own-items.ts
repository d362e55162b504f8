import { sendLoad } from '../http-load.ts';
import type { Installation } from './installation.ts';

const json = { 'content-type': 'application/json' } as const;

interface OwnEdits {
  readonly items: number;
  readonly edits: number;
  readonly clients: number;
  readonly round: number;
  readonly gateways?: number;
}

/** Text of about 0.8 KB, which differs from number to number. */
export function sampleText(number: number): string {
  return `${number} ${'the quick brown fox jumps over the lazy dog '.repeat(18)}`;
}

/** Makes a collection with so many items of its own, `item-0` onwards, and waits for their events. */
export async function createOwnItems(
  installation: Installation,
  collection: string,
  items: number,
): Promise<void> {
  await installation.send('PUT', `collections/${collection}`, { format: 'atom' });
  await sendLoad(items, 16, 201, (index) => ({
    url: `${installation.url}/v1/collections/${collection}/items`,
    method: 'POST',
    headers: json,
    body: JSON.stringify({ id: `item-${index}`, title: `Item ${index}`, content: sampleText(index) }),
  }));
  await installation.relayed(collection, items);
}

/**
 * Edits the items of a collection one after the other by several clients, each edit through the next of so
 * many gateways (1); returns milliseconds by edit.
 */
export async function editOwnItems(
  installation: Installation,
  collection: string,
  { items, edits, clients, round, gateways = 1 }: OwnEdits,
): Promise<number[]> {
  return sendLoad(edits, clients, 200, (index) => ({
    url: `${installation.urls[index % gateways]}/v1/collections/${collection}/items/item-${index % items}`,
    method: 'PUT',
    headers: json,
    body: JSON.stringify({ title: `Item ${index}`, content: sampleText(round * edits + index + items) }),
  }));
}
