import { describe, expect, test } from '@jest/globals';
import { pagesOf } from './pages.ts';
import type { PageRequest } from './pages.ts';

/** A list of these keys, which notes what was requested of it. */
function listOf(keys: readonly string[]) {
  const requests: PageRequest[] = [];
  return {
    requests,
    list: async (page: PageRequest) => {
      requests.push(page);
      return keys.filter((key) => key > (page.after ?? '')).slice(0, page.limit);
    },
  };
}

async function read(keys: readonly string[], limit: number, after?: string) {
  const { list, requests } = listOf(keys);
  const pages: (readonly string[])[] = [];
  for await (const page of pagesOf(list, (key) => key, limit, after)) pages.push(page);
  return { pages, requests };
}

describe('the pages of a list', () => {
  test('end at the first short one', async () => {
    expect(await read(['a', 'b', 'c'], 2)).toEqual({
      pages: [['a', 'b'], ['c']],
      requests: [{ limit: 2 }, { limit: 2, after: 'b' }],
    });
  });

  test('are never empty', async () => {
    expect((await read(['a', 'b'], 2)).pages).toEqual([['a', 'b']]);
    expect((await read([], 2)).pages).toEqual([]);
  });

  test('begin after a key', async () => {
    expect((await read(['a', 'b', 'c'], 2, 'b')).pages).toEqual([['c']]);
  });

  test('are requested only as they are read', async () => {
    const { list, requests } = listOf(['a', 'b', 'c']);
    for await (const page of pagesOf(list, (key) => key, 1)) if (page.includes('a')) break;
    expect(requests).toEqual([{ limit: 1 }]);
  });
});
