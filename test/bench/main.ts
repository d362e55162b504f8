import { measureFirstSync } from './first-sync.ts';
import { measureRawWrites } from './raw-writes.ts';
import { sampleFeed } from './sample-feed.ts';

/** `npm run bench [-- ITEMS [RUNS]]`: each row is a ratio to something measured in the same run, on the same databases. */
const [items = 20_000, runs = 3] = process.argv.slice(2).map(Number);
const { REDIS_URL, MONGODB_URI } = process.env;
if (!REDIS_URL || !MONGODB_URI) throw new Error('REDIS_URL and MONGODB_URI must be set; npm run bench does so.');

const [, entry = ''] = [...sampleFeed(1, 'size')];
process.stdout.write(`first sync of ${items} items of ${(entry.length / 1000).toFixed(1)} KB: HTTP feed → merged, published, events out\n`);
process.stdout.write('run  raw read + CAS      first sync          ratio  fetcher        merger         publisher      (processor time, peak memory)\n');
const ratios: number[] = [];
for (let run = 1; run <= runs; run += 1) {
  const raw = await measureRawWrites(MONGODB_URI, `bench-raw-${process.pid}`, items, entry);
  const { seconds, peakMemory, processorTime } = await measureFirstSync({ redisUrl: REDIS_URL, mongodbUri: MONGODB_URI, items });
  const ratio = raw / seconds;
  ratios.push(ratio);
  const rate = (time: number): string => `${time.toFixed(2)} s ${Math.round(items / time)}/s`.padEnd(18);
  const spent = (name: string): string => `${processorTime[name]?.toFixed(2)} s ${Math.round(peakMemory[name] ?? 0)} MB`.padEnd(15);
  process.stdout.write(`${run}    ${rate(raw)}  ${rate(seconds)}  ${ratio.toFixed(2)}   ${spent('fetcher')}${spent('merger')}${spent('publisher')}\n`);
}
process.stdout.write(`median ratio: ${ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)]?.toFixed(2)}\n`);
