import { setTimeout as wait } from 'node:timers/promises';
import type { Dice } from '../simulation/dice.ts';
import type { Answer, Installation, ShownItem } from './installation.ts';
import { marksOf } from './ledger.ts';
import type { Ledger, Mark } from './ledger.ts';

export interface Writing {
  /** A write goes to one of them. */
  readonly installations: readonly Installation[];
  readonly collections: readonly string[];
  /** How many items the writers share in each collection. */
  readonly items: number;
  /** Milliseconds between two writes. */
  readonly pause: number;
}

/**
 * Writes until the signal says so. Most writes read an item and put it back with one more mark, on the
 * condition that it has not changed; an editor of an item takes over the marks of the versions in conflict
 * with it. The others delete it.
 */
export async function write(
  { installations, collections, items, pause }: Writing,
  ledger: Ledger,
  dice: Dice,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const collection = dice.pick(collections);
    const url = `/v1/collections/${collection}/items`;
    const [id, mark] = [`item-${dice.below(items)}`, dice.below(8) === 0 ? undefined : ledger.nextMark()];
    const written = await writeItem(dice.pick(installations), url, id, mark);
    if (written !== undefined && written.status < 300)
      ledger.acknowledge({ ...written.body, collection, ...(mark && { mark }) });
    await wait(pause);
  }
}

/** Adds a mark to an item, or deletes it; returns undefined if there is nothing to do it to. */
async function writeItem(
  installation: Installation,
  url: string,
  id: string,
  mark: Mark | undefined,
): Promise<Answer<ShownItem> | undefined> {
  const path = `${url}/${id}`;
  const found = await installation.send<ShownItem>('GET', path);
  if (found?.status === 404 && mark !== undefined)
    return installation.send('POST', url, { id, title: id, content: mark });
  if (found?.status !== 200) return undefined;
  const { deleted, conflicts, revision } = found.body;
  const condition = { 'if-match': `"${revision}"` };
  // An edit subsumes the versions in conflict that its endpoint has made.
  if (mark === undefined)
    return deleted || conflicts.length > 0
      ? undefined
      : installation.send('DELETE', path, undefined, condition);
  const data = { title: id, content: [...marksOf(found.body), mark].join(' ') };
  if (deleted) return installation.send('POST', `${path}/undelete`, data, condition);
  return conflicts.length > 2
    ? installation.send('POST', `${path}/resolve`, { keep: 'winner', data }, condition)
    : installation.send('PUT', path, data, condition);
}
