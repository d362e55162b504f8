import { expect, test } from '@jest/globals';
import { readTask } from './task.ts';

test('without arguments all stories run', () => {
  expect(readTask([])).toEqual({ dryRun: false, stories: [], items: 20_000, recoverySeconds: 30 });
});

test('stories, items and the dry run can be named', () => {
  expect(readTask(['--story', 'upgrade', '--story', 'scale', '--items', '200000', '--dry-run'])).toEqual({
    dryRun: true,
    stories: ['upgrade', 'scale'],
    items: 200_000,
    recoverySeconds: 30,
  });
});

test.each([['--items', 'many'], ['--items', '0'], ['--storey', 'upgrade'], ['upgrade']])(
  'refuses %s %s',
  (...args) => {
    expect(() => readTask(args)).toThrow(/items|storey|upgrade/);
  },
);
