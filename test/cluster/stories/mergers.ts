import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { addresses } from '../../../tools/cluster/index.ts';
import { isMerged, subscribe } from '../big-feeds.ts';
import { eventually } from '../installation.ts';
import type { Installation } from '../installation.ts';
import type { Task } from '../task.ts';

/** So much of a core, so that several mergers do not wait for the processors of a small machine. */
const processorLimit = '200m';
const counts = [1, 2, 4] as const;
const collections = 4;

/** What four mergers must do at least, in terms of one. */
const least = 1.5;

/**
 * Items are merged by one, two and four mergers that each have a limit of processor time: each merger that is
 * added adds work done. Prints the rates, and judges only that four do clearly more than one.
 */
export async function mergers(installation: Installation, task: Task): Promise<void> {
  const client = await new mongoose.mongo.MongoClient(addresses.mongodbUri).connect();
  const items = client.db().collection('items');
  const rates = new Map<number, number>();
  try {
    for (const count of counts) {
      await installation.upgrade({
        'merger.replicas': count,
        'merger.resources.requests.cpu': '100m',
        'merger.resources.limits.cpu': processorLimit,
        // What it does with the merged items costs the mergers nothing, and would take the processors away.
        'publisher.replicas': 0,
      });
      const rate = await measure(installation, items, count, task.items);
      rates.set(count, rate);
      installation.say(`${count} mergers of ${processorLimit} each: ${rate.toFixed(0)} items a second`);
    }
  } finally {
    await client.close();
    const replicas = { 'merger.replicas': 2, 'publisher.replicas': 2 };
    await installation.upgrade({ ...replicas, 'merger.resources.limits.cpu': 'null' });
  }
  const ratio = (rates.get(4) ?? 0) / (rates.get(1) ?? 0);
  if (ratio < least)
    throw new Error(`four mergers did ${ratio.toFixed(2)} times what one does, less than ${least} times`);
}

/** Items merged a second, between a tenth and nine tenths of them: without the beginning and the end. */
async function measure(
  installation: Installation,
  rows: mongoose.mongo.Collection,
  mergers: number,
  items: number,
): Promise<number> {
  const each = Math.ceil(items / collections);
  const feeds = Array.from({ length: collections }, (_, index) => `of-${mergers}-${index}`);
  const before = await rows.estimatedDocumentCount();
  for (const feed of feeds) await subscribe(installation, feed, each);
  const from = await reached(rows, before + items * 0.1);
  const to = await reached(rows, before + items * 0.9);
  await eventually('all items are merged', () => isMerged(installation, feeds, each), 1200);
  return ((to.count - from.count) / (to.at - from.at)) * 1000;
}

/** When there are so many rows, and how many there are then. */
async function reached(
  rows: mongoose.mongo.Collection,
  least: number,
): Promise<{ readonly at: number; readonly count: number }> {
  return eventually(
    `${least} items`,
    async () => {
      const count = await rows.estimatedDocumentCount();
      if (count < least) await delay(50);
      return count >= least && { at: performance.now(), count };
    },
    1200,
  );
}
