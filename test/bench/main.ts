import { measureFirstSync } from './first-sync.ts';
import { measureRawWrites } from './raw-writes.ts';
import { sampleFeed } from './sample-feed.ts';

/** `npm run bench [-- ITEMS [RUNS]]`: each row is a ratio to something measured in the same run, on the same databases. */
const [items = 20_000, runs = 3] = process.argv.slice(2).map(Number);
const { REDIS_URL, MONGODB_URI } = process.env;
if (!REDIS_URL || !MONGODB_URI) throw new Error('REDIS_URL and MONGODB_URI must be set; npm run bench does so.');

const [, entry = ''] = [...sampleFeed(1, 'size')];
process.stdout.write(`first sync of ${items} items of ${(entry.length / 1000).toFixed(1)} KB: HTTP feed → merged, published, events out\n`);
process.stdout.write('run  raw read + CAS      first sync          ratio  fetcher  merger  publisher  gateway (peak MB)\n');
const ratios: number[] = [];
for (let run = 1; run <= runs; run += 1) {
  const raw = await measureRawWrites(MONGODB_URI, `bench-raw-${process.pid}`, items, entry);
  const sync = await measureFirstSync({ redisUrl: REDIS_URL, mongodbUri: MONGODB_URI, items });
  const ratio = raw / sync.seconds;
  ratios.push(ratio);
  const rate = (seconds: number): string => `${seconds.toFixed(2)} s ${Math.round(items / seconds)}/s`.padEnd(18);
  const memory = ['fetcher', 'merger', 'publisher', 'gateway'].map((name) => String(Math.round(sync.peakMemory[name] ?? 0)));
  process.stdout.write(`${run}    ${rate(raw)}  ${rate(sync.seconds)}  ${ratio.toFixed(2)}   ${memory.join('      ')}\n`);
}
process.stdout.write(`median ratio: ${ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)]?.toFixed(2)}\n`);
