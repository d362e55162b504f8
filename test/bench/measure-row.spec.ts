import { expect, test } from '@jest/globals';
import { measureRow } from './measure-row.ts';
import { rowLines } from './report/table.ts';
import type { Contender, Row, Sample, World } from './row.ts';

const world: World = {
  redisUrl: '',
  mongodbUri: '',
  installation: () => Promise.reject(new Error('no services')),
  another: () => Promise.reject(new Error('no services')),
};

/** A row whose contenders take what is given for each round after the first, and write down when they ran. */
function scripted(ours: readonly Sample[], other: readonly Sample[]) {
  const runs: string[] = [];
  const contender = (name: string, samples: readonly Sample[]): Contender => {
    const left = [{ operations: 1, seconds: 1000 }, ...samples];
    return {
      name,
      run: async () => {
        runs.push(name);
        return left.shift() ?? { operations: 0, seconds: 0 };
      },
    };
  };
  const row: Row = {
    name: 'row',
    operation: 'something',
    goals: [],
    open: async () => ({ ours: contender('ours', ours), references: [contender('other', other)] }),
  };
  return { row, runs };
}

const sample = (seconds: number, processorTime?: Sample['processorTime']): Sample => ({
  operations: 10,
  seconds,
  ...(processorTime && { processorTime }),
});

test('contenders take turns, and the first round of each does not count', async () => {
  const { row, runs } = scripted([sample(1), sample(3), sample(2)], [sample(4), sample(4), sample(4)]);
  const result = await measureRow(row, world, { rounds: 3, size: 1 });
  expect(runs).toEqual(['ours', 'other', 'ours', 'other', 'ours', 'other', 'ours', 'other']);
  expect(result.ours.milliseconds).toEqual({ minimum: 100, median: 200, maximum: 300 });
  expect(result.ours.rate).toBe(5);
  expect(result.references).toMatchObject([{ name: 'other', rate: 2.5, ratio: 2 }]);
});

test('processor time is reported for one operation, by process and in total', async () => {
  const { row } = scripted([sample(1, { merger: 0.1, mongod: 0.3 })], [sample(1)]);
  const { ours } = await measureRow(row, world, { rounds: 1, size: 1 });
  expect(ours.processorTime?.byProcess).toEqual({ merger: 10, mongod: 30 });
  expect(ours.processorTime?.all.median).toBe(40);
});

test('latencies of all rounds are taken together', async () => {
  const latencies = Array.from({ length: 100 }, (_, index) => index + 1);
  const { row } = scripted([{ operations: 100, seconds: 1, latencies }], [sample(1)]);
  const { ours } = await measureRow(row, world, { rounds: 1, size: 1 });
  expect(ours.latency).toEqual({ median: 50, most: 99 });
});

test('a row with rounds of its own takes no more, and no round to warm up', async () => {
  const { row, runs } = scripted([sample(1)], [sample(1)]);
  await measureRow({ ...row, rounds: 2 }, world, { rounds: 5, size: 1 });
  expect(runs).toEqual(['ours', 'other', 'ours', 'other']);
  await measureRow({ ...row, rounds: 2 }, world, { rounds: 1, size: 1 });
  expect(runs.slice(4)).toEqual(['ours', 'other']);
});

test('processor time is compared if both have it', async () => {
  const times = [sample(1, { merger: 0.3 }), sample(1, { merger: 0.2, mongod: 0.4 })];
  const both = scripted([times[0]!], [times[1]!]);
  const { references } = await measureRow(both.row, world, { rounds: 1, size: 1 });
  expect(references).toMatchObject([{ processorTimeRatio: 0.5 }]);
  const one = scripted([times[0]!], [sample(1)]);
  const result = await measureRow(one.row, world, { rounds: 1, size: 1 });
  expect(result.references[0]).not.toHaveProperty('processorTimeRatio');
});

test('the most memory of each process is kept', async () => {
  const rounds = [
    { ...sample(1), memory: { merger: 100, fetcher: 200, mongod: 900 } },
    { ...sample(1), memory: { merger: 150, fetcher: 180, mongod: 800 } },
  ];
  const { row } = scripted(rounds, [sample(1), sample(1)]);
  const result = await measureRow(row, world, { rounds: 2, size: 1 });
  expect(result.ours.memory).toEqual({ merger: 150, fetcher: 200, mongod: 900 });
  expect(rowLines(result)).toContainEqual(expect.stringContaining('merger 150 MB, fetcher 200 MB'));
});
