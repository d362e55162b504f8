import { describe, expect, test } from '@jest/globals';
import { ByteAllowance } from '../../apps/cli/src/sync/byte-allowance.ts';
import { Places } from '../../apps/cli/src/sync/places.ts';

describe('the bytes of a run', () => {
  test('are taken from the longest download when they run out, and the others continue', () => {
    const allowance = new ByteAllowance(100);
    const [long, short] = [allowance.open(), allowance.open()];
    expect([allowance.take(long, 80), allowance.take(short, 15)]).toEqual([true, true]);
    expect(allowance.take(short, 10)).toBe(true);
    expect(allowance.take(long, 1)).toBe(false);
    expect(allowance.take(short, 70)).toBe(true);
    expect(allowance.take(short, 10)).toBe(false);
  });

  test('come back from a download that failed, not from one that is kept', () => {
    const allowance = new ByteAllowance(100);
    const [failed, kept, third] = [allowance.open(), allowance.open(), allowance.open()];
    allowance.take(failed, 40);
    allowance.take(kept, 40);
    allowance.close(failed, false);
    allowance.close(kept, true);
    expect(allowance.take(third, 60)).toBe(true);
    expect(allowance.take(third, 1)).toBe(false);
  });
});

describe('places', () => {
  const root = 'https://news.example/today/root.xml';

  test("are below the root feed's own directory as they are there, and below _other by host", () => {
    const places = new Places(root);
    const urls = [
      root,
      'https://news.example/today/a/b%20c.jpg',
      'https://news.example/yesterday.xml',
      'https://cdn.example:8443/today/x.css',
      'http://news.example/today/root.xml',
    ];
    expect(urls.map((url) => places.assign(url))).toEqual([
      'root.xml',
      'a/b c.jpg',
      '_other/news.example/yesterday.xml',
      '_other/cdn.example%3A8443/today/x.css',
      '_other/news.example/today/root.xml',
    ]);
  });

  test('give way if one URL is a file and a folder, in either order, or if only the case differs', () => {
    const places = new Places(root);
    const url = (path: string): string => `https://news.example/today/${path}`;
    expect([places.assign(url('a')), places.assign(url('a/b'))]).toEqual(['a', 'a~folder/b']);
    expect([places.assign(url('c/d')), places.assign(url('c'))]).toEqual([
      'c/d',
      expect.stringMatching(/^c~[0-9a-f]{12}$/),
    ]);
    places.occupy('E');
    expect(places.assign(url('e/f'))).toBe('e~folder/f');
  });
});
