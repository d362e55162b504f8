import { describe, expect, test } from '@jest/globals';
import { UnavailableError } from '#core';
import { isolate } from './isolate.ts';
import { RaceError } from './write-items.ts';

const values = Array.from({ length: 100 }, (_, number) => number);

/**
 * Does some work with the values that fails for some of them; tells what was done, refused and how often it
 * was tried.
 */
async function run(failing: (value: number, attempt: number) => Error | undefined) {
  const done = new Set<number>();
  const refused = new Map<number, string>();
  let attempts = 0;
  const work = async (some: readonly number[]): Promise<void> => {
    attempts += 1;
    for (const value of some) {
      const error = failing(value, attempts);
      if (error !== undefined) throw error;
      done.add(value);
    }
  };
  await isolate(values, work, async (value, error) => void refused.set(value, String(error)));
  return { done, refused, attempts };
}

const poisoned =
  (...some: number[]) =>
  (value: number, attempt: number): Error | undefined =>
    some.includes(value) ? new RangeError(`no place for ${value} after ${1 / 200 ** attempt} s`) : undefined;

describe('work with several values', () => {
  test('is done at once where nothing fails', async () => {
    expect(await run(() => undefined)).toEqual({ done: new Set(values), refused: new Map(), attempts: 1 });
  });

  test.each([[[0]], [[99]], [[41, 42]], [[3, 50, 97]], [values]])(
    'leaves out %j alone, and is done with all others',
    async (bad) => {
      const { done, refused } = await run(poisoned(...bad));
      expect([...refused.keys()].sort((one, other) => one - other)).toEqual(bad);
      expect(done).toEqual(new Set(values.filter((value) => !bad.includes(value))));
      expect(refused.get(bad[0] ?? 0)).toMatch(/^RangeError: no place for/);
    },
  );

  test('finds one of them in few attempts', async () => {
    expect((await run(poisoned(41))).attempts).toBeLessThan(30);
  });

  test('is done at the second attempt where the error does not come back', async () => {
    expect(await run((_value, attempt) => (attempt === 1 ? new Error('once') : undefined))).toMatchObject({
      refused: new Map(),
      attempts: 2,
    });
  });

  test.each([
    ['a store that is away', (): Error => new UnavailableError('MongoDB', 'no primary', 'none')],
    [
      'a store that goes away at the second attempt',
      (attempt: number): Error =>
        attempt === 1 ? new Error('one') : new UnavailableError('MongoDB', 'no primary', 'unknown'),
    ],
    ['a race that is lost', (): Error => new RaceError('3 items lost the race')],
    ['another error at every attempt', (attempt: number): Error => new Error('abc'.charAt(attempt % 3))],
  ])('refuses nothing because of %s', async (_what, failing) => {
    const refused: number[] = [];
    let attempts = 0;
    const work = async (): Promise<void> => {
      attempts += 1;
      throw failing(attempts);
    };
    await expect(isolate(values, work, async (value) => void refused.push(value))).rejects.toThrow();
    expect(refused).toEqual([]);
    expect(attempts).toBeLessThanOrEqual(2);
  });
});
