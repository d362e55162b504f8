import { expect, test } from '@jest/globals';
import { feedLinks } from './feed-links.ts';

const page = (head: string) => `<!DOCTYPE html><html><head>${head}</head><body></body></html>`;
const link = (href: string, more = '', type = 'application/rss+xml') =>
  `<link rel="alternate" type="${type}" href="${href}" ${more}>`;

test.each([
  ['a relative address', link('/feed.xml'), ['https://x.example/feed.xml']],
  [
    'one against the base of the page',
    `<base href="/blog/">${link('feed.xml')}`,
    ['https://x.example/blog/feed.xml'],
  ],
  [
    'one of several relations',
    '<link rel="home ALTERNATE" type="application/atom+xml" href="a">',
    ['https://x.example/a'],
  ],
  ['JSON Feed', link('f.json', '', 'application/feed+json'), ['https://x.example/f.json']],
  [
    'those of comments last',
    link('/comments/feed') + link('/feed'),
    ['https://x.example/feed', 'https://x.example/comments/feed'],
  ],
  ['each once', link('/feed') + link('/feed'), ['https://x.example/feed']],
  ['one with the scheme feed', link('feed://y.example/rss'), ['http://y.example/rss']],
  [
    'types with parameters',
    link('/feed', '', 'application/rss+xml; charset=utf-8'),
    ['https://x.example/feed'],
  ],
  ['types in any case', link('/feed', '', ' Application/ATOM+XML ;x=1'), ['https://x.example/feed']],
  [
    'XML of any kind',
    link('/a', '', 'text/xml') + link('/b', '', 'application/xml'),
    ['https://x.example/a', 'https://x.example/b'],
  ],
  [
    'those in front of the base, and no second base',
    `${link('a')}<base href="/blog/"><base href="/other/">${link('b')}`,
    ['https://x.example/blog/a', 'https://x.example/blog/b'],
  ],
  ['those of a page whose base has no address', `<base target="_top">${link('a')}`, ['https://x.example/a']],
  ['nothing of XML with another suffix', link('/oembed', '', 'text/xml+oembed'), []],
  ['nothing that is another page', link('/de', '', 'text/html') + '<link rel="stylesheet" href="s.css">', []],
  ['nothing in a comment', `<!-- ${link('/feed')} -->`, []],
  ['nothing that is no address', link('http://['), []],
])('of a page it names %s', (_what, head, urls) => {
  expect(feedLinks(page(head), 'https://x.example/').map(({ url }) => url)).toEqual(urls);
});

test('it names twenty feeds at the most, with their titles', () => {
  const links = Array.from({ length: 30 }, (_, place) => link(`/${place}`, `title="Feed ${place}"`)).join('');
  const found = feedLinks(page(links), 'https://x.example/');
  expect(found).toHaveLength(20);
  expect(found[3]).toEqual({
    url: 'https://x.example/3',
    type: 'application/rss+xml',
    title: 'Feed 3',
    isOfComments: false,
  });
});

test('elements that do not end cost no more than others', () => {
  const seconds = (html: string): number => {
    const before = process.cpuUsage();
    expect(feedLinks(link('/feed') + html, 'https://x.example/')).toHaveLength(1);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const least = (html: string): number => Math.min(...Array.from({ length: 3 }, () => seconds(html)));
  const count = 100_000;
  expect(least('<b>'.repeat(count))).toBeLessThan(5 * least('<b></b>'.repeat(count)));
});
