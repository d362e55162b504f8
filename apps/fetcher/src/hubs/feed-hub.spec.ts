import { expect, test } from '@jest/globals';
import { FeedScanner, plainDialect } from '#xml';
import { hubOf } from './feed-hub.ts';

const url = 'https://feeds.example/a/feed';
const hub = 'https://hub.example/';

function head(links: string, root = '<feed xmlns="http://www.w3.org/2005/Atom">') {
  const scanner = new FeedScanner(plainDialect);
  scanner.write(`${root}${links}</feed>`);
  return scanner.end();
}

const named = head(`<link rel="self" href="${url}?own"/><link rel="hub" href="${hub}?own"/>`);
const links = `<${hub}>; rel=hub, <${url}>; rel=self`;

test('the header goes before the feed, each for itself', () => {
  expect(hubOf({ url, link: links }, named)).toEqual({ url: hub, topic: url });
  expect(hubOf({ url, link: links }, undefined)).toEqual({ url: hub, topic: url });
  expect(hubOf({ url }, named)).toEqual({ url: `${hub}?own`, topic: `${url}?own` });
  expect(hubOf({ url, link: `<${hub}>; rel=hub` }, named)).toEqual({ url: hub, topic: `${url}?own` });
});

test('a feed that names none has none, and one that was not read may have one', () => {
  expect(hubOf({ url }, head(''))).toBeUndefined();
  expect(hubOf({ url }, undefined)).toBe('unsaid');
  expect(hubOf({ url }, head(`<link rel="hub" href="${hub}"/>`))).toBeUndefined();
  expect(hubOf({ url, link: `<${hub}>; rel=hub` }, undefined)).toBe('unsaid');
});

test('the channel of RSS names it by links of Atom', () => {
  const scanner = new FeedScanner(plainDialect);
  scanner.write(
    '<rss version="2.0" xmlns:a="http://www.w3.org/2005/Atom"><channel><link>https://feeds.example/</link>' +
      `<a:link rel="self" href="${url}"/><a:link rel="hub" href="${hub}"/></channel></rss>`,
  );
  expect(hubOf({ url }, scanner.end())).toEqual({ url: hub, topic: url });
});

test('addresses are resolved, and those that can not be requested are skipped', () => {
  const relative = head(
    '<link rel="hub" href="mailto:hub@example.org"/><link rel="hub" href="https://ann:pw@hub.example/"/>' +
      `<link rel="hub" href="https://hub.example/${'x'.repeat(2048)}"/><link rel="hub"/>` +
      '<link rel="alternate hub" href="hub?a=1&amp;b=2"/><link rel="self" href=""/>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://feeds.example/c/d">',
  );
  expect(hubOf({ url }, relative)).toEqual({
    url: 'https://feeds.example/c/hub?a=1&b=2',
    topic: 'https://feeds.example/c/d',
  });
});
