import { measureFirstSync } from './first-sync.ts';
import { measureRawWrites } from './raw-writes.ts';
import { sampleFeed } from './sample-feed.ts';

/**
 * `npm run bench [-- ITEMS [RUNS]]`: each row is a ratio to something measured in the same run, on the same
 * databases.
 */
const [items = 20_000, runs = 3] = process.argv.slice(2).map(Number);
const { REDIS_URL, MONGODB_URI } = process.env;
if (!REDIS_URL || !MONGODB_URI)
  throw new Error('REDIS_URL and MONGODB_URI must be set; npm run bench does so.');

const [, entry = ''] = [...sampleFeed(1, 'size')];
process.stdout.write(
  `first sync of ${items} items of ${(entry.length / 1000).toFixed(1)} KB: HTTP feed → merged, ` +
    'published, events out\n',
);
process.stdout.write(
  'raw: each item read and replaced by compare-and-set once, in bulk, by one writer, and by four at the ' +
    'same time\n',
);
process.stdout.write(
  'run  raw, one writer   raw, four writers  first sync        ratio to one  to four  fetcher        ' +
    'merger         publisher      (processor time, peak memory)\n',
);
const ratios: { one: number; four: number }[] = [];
for (let run = 1; run <= runs; run += 1) {
  const one = await measureRawWrites(MONGODB_URI, `bench-raw-${process.pid}`, items, entry, 1);
  const four = await measureRawWrites(MONGODB_URI, `bench-raw-${process.pid}`, items, entry, 4);
  const { seconds, peakMemory, processorTime } = await measureFirstSync({
    redisUrl: REDIS_URL,
    mongodbUri: MONGODB_URI,
    items,
  });
  ratios.push({ one: one / seconds, four: four / seconds });
  const rate = (time: number): string => `${time.toFixed(2)} s ${Math.round(items / time)}/s`.padEnd(17);
  const spent = (name: string): string =>
    `${processorTime[name]?.toFixed(2)} s ${Math.round(peakMemory[name] ?? 0)} MB`.padEnd(15);
  process.stdout.write(
    `${run}    ${rate(one)} ${rate(four)}  ${rate(seconds)} ${(one / seconds).toFixed(2)}          ` +
      `${(four / seconds).toFixed(2)}     ${spent('fetcher')}${spent('merger')}${spent('publisher')}\n`,
  );
}
const median = (values: number[]): string | undefined =>
  values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)]?.toFixed(2);
process.stdout.write(
  `median ratio: ${median(ratios.map(({ one }) => one))} to one writer, ` +
    `${median(ratios.map(({ four }) => four))} to four\n`,
);
