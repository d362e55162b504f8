import { describe, expect, test } from '@jest/globals';
import { finish } from '#core';
import { forbiddingRule, robotsLength, robotsRules } from './robots-rules.ts';

const site = 'https://site.example';

/** Whether a robots.txt file lets us request a path. */
function allows(text: string, path: string): boolean {
  const rules = finish(robotsRules(text, 'Feedmesh'));
  return finish(forbiddingRule(rules, site + path)) === undefined;
}

describe('the group', () => {
  test.each([
    ['for everyone', 'User-agent: *\nDisallow: /', false],
    ['for us before that for everyone', 'User-agent: *\nDisallow: /\n\nUser-agent: feedmesh\nAllow: /', true],
    ['for us, with a version', 'User-agent: Feedmesh/1.0\nDisallow: /', false],
    ['for others', 'User-agent: FeedmeshBot-2\nDisallow: /', true],
    ['for several', 'User-agent: other\nUser-agent: FEEDMESH\nDisallow: /', false],
    ['for us without a rule', 'User-agent: *\nDisallow: /\nUser-agent: feedmesh\nDisallow:', true],
    [
      'that is written in two places',
      'User-agent: feedmesh\nAllow: /x\nUser-agent: a\nAllow: /\nUser-agent: feedmesh\nDisallow: /',
      false,
    ],
    ['that a sitemap stands in', 'User-agent: *\nSitemap: /map.xml\nDisallow: /', false],
    [
      'that an unknown line stands in',
      'User-agent: other\nCrawl-delay: 9\nUser-agent: *\nDisallow: /',
      false,
    ],
    ['with comments and spaces', '# all\r\n  user-AGENT :  * # everyone\r\n disallow:  / # all\r\n', false],
    ['after a byte order mark', '\uFEFFUser-agent: *\rDisallow: /', false],
    ['that begins with rules', 'Disallow: /', true],
    ['in an HTML page', '<!DOCTYPE html><p>Not found', true],
    ['in nothing', '', true],
  ])('%s', (_, text, expected) => {
    expect(allows(text, '/page')).toBe(expected);
  });
});

describe('a rule', () => {
  const path = (pattern: string, given: string): boolean =>
    !allows(`User-agent: *\nDisallow: ${pattern}`, given);

  test.each([
    ['/fish', '/fish', true],
    ['/fish', '/fish.html', true],
    ['/fish', '/Fish.asp', false],
    ['/fish/', '/fish', false],
    ['/fish*', '/fishheads', true],
    ['/*.php', '/folder/any.php?x=1', true],
    ['/*.php', '/windows.PHP', false],
    ['/*.php$', '/a.php', true],
    ['/*.php$', '/a.php?x', false],
    ['/*.php$', '/a.php.php', true],
    ['/a*b*c$', '/a-b-b-c', true],
    ['/a*b*c$', '/a-b-c-d', false],
    ['/ab*b$', '/ab', false],
    ['/$', '/', true],
    ['/$', '/x', false],
    ['*/page', '/any/page', true],
    ['/a$b', '/a$bc', true],
    ['/?q=', '/?q=1', true],
    ['/%61%7Eb', '/a~b', true],
    ['/a%2fb', '/a/b', false],
    ['/a%2fb', '/a%2Fb', true],
    ['/ä', '/%C3%A4', true],
    ['/%e2%82%ac', '/€', true],
  ])('%s is for %s: %p', (pattern, given, expected) => {
    expect(path(pattern, given)).toBe(expected);
  });

  test.each([
    ['Allow: /a\nDisallow: /', '/a/b', true],
    ['Disallow: /\nAllow: /a', '/a', true],
    ['Allow: /a\nDisallow: /a', '/a', true],
    ['Disallow: /a\nAllow: /a', '/a', true],
    ['Allow: /a\nDisallow: /a/*.html', '/a/b.html', false],
    ['Disallow: /', '/robots.txt', true],
  ])('is decided by the longest: %j for %s', (rules, given, expected) => {
    expect(allows(`User-agent: *\n${rules}`, given)).toBe(expected);
  });

  test('names its line', () => {
    const rules = finish(robotsRules('# x\nUser-agent: *\nAllow: /a\nDisallow: /b*', 'Feedmesh'));
    expect(finish(forbiddingRule(rules, `${site}/bc`))).toMatchObject({ pattern: '/b*', line: 4 });
  });

  test('with many wildcards takes no time to speak of', () => {
    const pattern = `/${'*a'.repeat(20_000)}b`;
    expect(allows(`User-agent: *\nDisallow: ${pattern}`, `/${'a'.repeat(30_000)}`)).toBe(true);
  });
});

/** How many steps some work takes. */
function stepsOf(work: Iterator<void>): number {
  let count = 0;
  while (work.next().done !== true) count += 1;
  return count;
}

describe('a file of 512 kB is read in short steps', () => {
  test.each([
    ['of many lines', 'Disallow: /a\n'],
    ['of characters beyond ASCII', 'é'],
    ['of octets', '%41%e9'],
  ])('%s', (_, part) => {
    const text = `User-agent: *\nDisallow: /${part.repeat(robotsLength / part.length)}`;
    expect(stepsOf(robotsRules(text, 'Feedmesh'))).toBeGreaterThan(1000);
  });

  test('and so are its rules', () => {
    const rules = finish(robotsRules(`User-agent: *\n${'Disallow: /a\n'.repeat(40_000)}`, 'Feedmesh'));
    expect(stepsOf(forbiddingRule(rules, `${site}/b`))).toBe(40_000);
  });
});
