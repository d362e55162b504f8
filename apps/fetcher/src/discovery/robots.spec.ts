import { beforeEach, expect, test } from '@jest/globals';
import { createMemoryHttp } from '#in-memory';
import type { MemoryAnswer, MemoryHttp } from '#in-memory';
import { FetchError } from '#core';
import { Robots } from './robots.ts';

const site = 'https://site.example';
const start = Date.parse('2026-03-01T00:00:00Z');

let http: MemoryHttp;
let time: number;
let requests: number;
let robots: Robots;
beforeEach(() => {
  http = createMemoryHttp();
  time = start;
  requests = 0;
  robots = new Robots('Feedmesh/0.1.0', { now: () => new Date(time) });
});

/** Has the site respond to requests for its rules. */
function serve(answer: MemoryAnswer | FetchError): void {
  http.serve(`${site}/robots.txt`, () => {
    requests += 1;
    if (answer instanceof FetchError) throw answer;
    return answer;
  });
}

async function ruleOf(path = '/page'): Promise<string> {
  return robots.check(http, site + path).then(
    () => 'allowed',
    (error: unknown) => (error as FetchError).rule,
  );
}

const closed = 'User-agent: *\nDisallow: /';

test('a page that is forbidden is refused with the rule', async () => {
  serve({ status: 200, body: 'User-agent: feedmesh\nDisallow: /private' });
  expect(await ruleOf('/public')).toBe('allowed');
  await expect(robots.check(http, `${site}/private/x`)).rejects.toThrow(
    'https://site.example/private/x: https://site.example/robots.txt forbids Feedmesh to look for feeds ' +
      'there (line 2, "Disallow: /private"); subscribe to the feed itself',
  );
});

test.each([
  [404, 'allowed'],
  [403, 'allowed'],
  [410, 'allowed'],
  [429, 'robots-unavailable'],
  [500, 'robots-unavailable'],
  [503, 'robots-unavailable'],
])('a site that responds with %i: %s', async (status, expected) => {
  serve({ status });
  expect(await ruleOf()).toBe(expected);
});

test.each([
  ['connection', 'robots-unavailable'],
  ['http-timeout', 'robots-unavailable'],
  ['body-too-large', 'robots-unavailable'],
  ['redirects', 'allowed'],
  ['host-busy', 'host-busy'],
  ['host-paused', 'host-paused'],
  ['address-refused', 'address-refused'],
])('a request that fails with %s: %s', async (rule, expected) => {
  serve(new FetchError(rule, 'it failed'));
  expect(await ruleOf()).toBe(expected);
});

test('the rules are read once a day, or as often as they say', async () => {
  serve({ status: 200, body: closed });
  for (let index = 0; index < 3; index += 1) expect(await ruleOf()).toBe('robots-disallowed');
  expect(requests).toBe(1);
  time += 86_400_000;
  serve({ status: 200, headers: { 'cache-control': 'max-age=60' }, body: '' });
  expect(await ruleOf()).toBe('allowed');
  time += 59_999;
  await ruleOf();
  expect(requests).toBe(2);
  time += 1;
  await ruleOf();
  expect(requests).toBe(3);
});

test('a site that can not say its rules is asked again', async () => {
  serve({ status: 500 });
  expect(await ruleOf()).toBe('robots-unavailable');
  serve({ status: 200, body: '' });
  expect(await ruleOf()).toBe('allowed');
});

test('what stands beyond 500 KiB is not read', async () => {
  const long = `# ${'x'.repeat(512_000)}\n${closed}`;
  serve({ status: 200, body: long });
  expect(await ruleOf()).toBe('allowed');
});
