import { setTimeout as wait } from 'node:timers/promises';
import type { Dice } from '../simulation/dice.ts';
import { isStress } from '../support/stress.ts';
import type { Installation, ShownItem } from './installation.ts';
import { marksOf } from './ledger.ts';
import type { Ledger, Mark } from './ledger.ts';

/**
 * Milliseconds between two writes: the story is about losing nothing, not about the most that there can be.
 */
const pause = isStress ? 50 : 250;

/** How many items the writers share. */
const itemCount = 30;

/**
 * Writes into one installation until the signal says so. Each write reads an item and puts it back with one
 * more mark, on the condition that it has not changed; an editor of an item takes over the marks of the
 * versions in conflict with it.
 */
export async function write(
  installation: Installation,
  ledger: Ledger,
  dice: Dice,
  signal: AbortSignal,
): Promise<void> {
  for (let number = 0; !signal.aborted; number += 1) {
    const id = `item-${dice.below(itemCount)}`;
    const mark: Mark = `${installation.name}-${number}`;
    if (await writeMark(installation, id, mark)) ledger.acknowledge(id, mark);
    await wait(pause);
  }
}

/** Whether the write was acknowledged. */
async function writeMark(installation: Installation, id: string, mark: Mark): Promise<boolean> {
  const items = '/v1/collections/shared/items';
  const path = `${items}/${id}`;
  const found = await installation.send<ShownItem>('GET', path);
  if (found?.status === 404)
    return isStored(await installation.send('POST', items, { id, title: id, content: mark }));
  if (found?.status !== 200) return false;
  const data = { title: id, content: [...marksOf(found.body), mark].join(' ') };
  const condition = { 'if-match': `"${found.body.revision}"` };
  return isStored(
    found.body.conflicts.length > 2
      ? await installation.send('POST', `${path}/resolve`, { keep: 'winner', data }, condition)
      : await installation.send('PUT', path, data, condition),
  );
}

function isStored(answer: { readonly status: number } | undefined): boolean {
  return answer !== undefined && answer.status < 300;
}
