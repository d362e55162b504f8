import { describe, expect, test } from '@jest/globals';
import { feedIdOf } from './feed-id.ts';
import { feedOfItem, treeItemId } from '#cse';

const root = 'http://site.example/root.xml';
const id = (url: string): string => feedIdOf(url, root);

describe('the id of a mirrored feed', () => {
  test('is root for the root, however its URL is written', () => {
    expect([id(root), id(`${root}#top`), feedIdOf('http://site.example/', 'http://site.example')]).toEqual([
      'root',
      'root',
      'root',
    ]);
  });

  test('begins with what the path ends in, as far as that is readable', () => {
    expect(id('http://site.example/feeds/Slide%20Show.2026.xml')).toMatch(/^slide-show-2026-[0-9a-f]{16}$/);
    expect(id('http://site.example/news/')).toMatch(/^news-[0-9a-f]{16}$/);
    expect(id('http://site.example/')).toMatch(/^feed-[0-9a-f]{16}$/);
    expect(id(`http://site.example/${encodeURIComponent('新闻')}.rss`)).toMatch(/^feed-[0-9a-f]{16}$/);
    expect(id('http://site.example/.hidden')).toMatch(/^hidden-[0-9a-f]{16}$/);
  });

  test('differs with anything in the URL but its fragment', () => {
    const urls = [
      'http://site.example/a.xml',
      'https://site.example/a.xml',
      'http://site.example/a.rss',
      'http://site.example/a.xml?x=1',
      'http://other.example/a.xml',
      'http://site.example/b/a.xml',
    ];
    expect(new Set(urls.map(id)).size).toBe(urls.length);
    expect(id('http://site.example/a.xml#x')).toBe(id('http://site.example/a.xml'));
  });

  test("is never longer than a feed's id may be, and always one", () => {
    for (const path of [
      'x'.repeat(500),
      `${'x'.repeat(39)}--y`,
      '-',
      '..',
      '%',
      '%E4%',
      'a/b/c',
      'root',
      'complete.xml',
    ])
      expect(id(`http://site.example/${path}`)).toMatch(/^[a-z0-9][a-z0-9-]{0,62}$/);
  });
});

describe('the id of an item of a tree', () => {
  test('tells its feed, whatever its guid holds', () => {
    for (const guid of ['a', 'http://site.example/a:b', ':', 'ä'.repeat(600)])
      expect(feedOfItem(treeItemId('news-1', guid))).toBe('news-1');
  });

  test('holds the guid as it is up to 512 characters, and its SHA-256 above', () => {
    expect(treeItemId('root', 'x'.repeat(512))).toBe(`root:${'x'.repeat(512)}`);
    expect(treeItemId('root', 'x'.repeat(513))).toMatch(/^root:sha256-[0-9a-f]{64}$/);
  });
});
