import { expect, test } from '@jest/globals';
import { finish } from '#core';
import { pageBytes, pageFeeds } from './page-feeds.ts';

const url = 'https://site.example/blog/';
const [atom, rss, json] = ['application/atom+xml', 'application/rss+xml', 'application/feed+json'];

function link(href: string, type = rss, title = ''): string {
  return `<link rel="alternate" type="${type}" title="${title}" href="${href}">`;
}

function best(links: readonly string[], accepts?: (address: string) => boolean): string | undefined {
  const html = `<!DOCTYPE html><html><head>${links.join('')}</head><body><p>A page</body></html>`;
  return finish(pageFeeds({ bytes: Buffer.from(html), contentType: 'text/html', url }, accepts))[0]?.url;
}

test.each([
  ['the first one', [link('/1'), link('/2', atom), link('/3', json)], 'https://site.example/1'],
  [
    'a feed before JSON of any kind',
    [link('/api', 'application/json'), link('/feed')],
    'https://site.example/feed',
  ],
  [
    'a feed before XML of any kind',
    [link('/1', 'text/xml'), link('/2', 'application/xml'), link('/3')],
    'https://site.example/3',
  ],
  [
    'a type with parameters',
    [link('/1', 'text/xml'), link('/2', `${rss}; charset=utf-8`)],
    'https://site.example/2',
  ],
  [
    'one on the same host before another',
    [link('https://cdn.example/1'), link('/2')],
    'https://site.example/2',
  ],
  ['one of comments last', [link('/comments/feed'), link('https://cdn.example/2')], 'https://cdn.example/2'],
  ['one of comments if there is no other', [link('/1', rss, 'Comments')], 'https://site.example/1'],
  ['any type if there is no other', [link('api', 'application/json')], 'https://site.example/blog/api'],
  ['no address that is not of the web', [link('javascript:alert(1)'), link('ftp://x.example/')], undefined],
  ['nothing if the page names none', [], undefined],
])('%s is chosen', (_, links, expected) => {
  expect(best(links)).toBe(expected);
});

test('the others follow in the order of their merit', () => {
  const links = [link('/comments'), link('/xml', 'text/xml'), link('/2'), link('https://cdn.example/1')];
  const bytes = Buffer.from(`<html><head>${links.join('')}</head></html>`);
  expect(finish(pageFeeds({ bytes, url })).map((feed) => new URL(feed.url).pathname)).toEqual([
    '/2',
    '/1',
    '/xml',
    '/comments',
  ]);
});

test('one that is not accepted is not chosen', () => {
  const links = [link('https://cdn.example/1'), link('/2')];
  expect(best(links, (address) => address.startsWith('https://cdn.example/'))).toBe('https://cdn.example/1');
  expect(best(links, () => false)).toBeUndefined();
});

test('a page is read in its own encoding', () => {
  const html = `<html><head><title>\u00fc</title>${link('/f\u00fcr')}</head></html>`;
  const bytes = Buffer.from(html, 'latin1');
  const found = finish(pageFeeds({ bytes, contentType: 'text/html; charset=iso-8859-1', url }));
  expect(found[0]?.url).toBe('https://site.example/f%C3%BCr');
});

test('of a long page the beginning is read, in its own encoding', () => {
  const html = `<html><head><title>ü</title>${link('/für')}</head><body>${'<b>ü'.repeat(300_000)}`;
  const bytes = Buffer.from(html);
  expect(bytes.length).toBeGreaterThan(pageBytes);
  for (const length of [pageBytes, pageBytes - 1, pageBytes + 1])
    expect(finish(pageFeeds({ bytes: bytes.subarray(0, length), url }))[0]?.url).toBe(
      'https://site.example/f%C3%BCr',
    );
});

test('a long page is read in short steps', () => {
  const bytes = Buffer.from(`<html>${'<a>'.repeat(340_000)}`);
  const steps = pageFeeds({ bytes, contentType: 'text/html', url });
  let count = 0;
  while (steps.next().done !== true) count += 1;
  expect(count).toBeGreaterThan(60);
});
