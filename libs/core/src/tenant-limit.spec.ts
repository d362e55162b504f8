import { expect, test } from '@jest/globals';
import { exceededKind, isSmallGrowth, limitSource, TenantLimitError } from './tenant-limit.ts';

const limits = { items: 1000, bytes: 1_000_000, files: 10 };
const usage = { items: 500, bytes: 0, files: 10 };

test('growth up to a limit exceeds nothing, and shrinking never does', () => {
  expect(exceededKind({ limits, usage }, { items: 500, bytes: 1_000_000, files: 0 })).toBeUndefined();
  expect(exceededKind({ limits, usage }, { items: 501, bytes: 1_000_001, files: 1 })).toBe('items');
  expect(exceededKind({ limits, usage }, { items: 0, bytes: 0, files: 1 })).toBe('files');
  const over = { limits, usage: { items: 2000, bytes: 2_000_000, files: 20 } };
  expect(exceededKind(over, { items: -1, bytes: 0, files: 0 })).toBeUndefined();
  expect(exceededKind(over, { items: 0, bytes: 1, files: 0 })).toBe('bytes');
});

test('growth is small up to a hundredth of what is left', () => {
  expect(isSmallGrowth({ limits, usage }, { items: 5, bytes: 10_000, files: 0 })).toBe(true);
  expect(isSmallGrowth({ limits, usage }, { items: 6, bytes: 0, files: 0 })).toBe(false);
  expect(isSmallGrowth({ limits, usage }, { items: 0, bytes: 0, files: 1 })).toBe(false);
  expect(isSmallGrowth({ limits, usage }, { items: -9, bytes: -9, files: -9 })).toBe(true);
});

test('a limit says where it is set', () => {
  expect(limitSource({ limits: {} }, 'fetchesPerMinute')).toBe('setting TENANT_FETCHES_PER_MINUTE');
  const source = limitSource({ limits: { items: 3 } }, 'items');
  expect(new TenantLimitError({ tenant: 'acme', what: 'items', value: 3, source, usage: 3 }).message).toBe(
    'The tenant "acme" may have 3 items (its own limit) and has 3.',
  );
});
