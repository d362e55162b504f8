import { describe, expect, test } from '@jest/globals';
import { redirectedTarget, targetOf } from './target.ts';

const basic = `Basic ${Buffer.from('ann:se:cret').toString('base64')}`;

describe('where a request goes', () => {
  test('credentials leave the address and become Authorization', () => {
    const target = targetOf('https://ann:se%3Acret@feeds.example/a?b#c');
    expect([target.url.href, target.credentials['authorization']]).toEqual([
      'https://feeds.example/a?b',
      basic,
    ]);
  });

  test.each(['feeds.example/a', '/a', '', 'http://', 'http://[fe80::1%25eth0]/'])(
    '"%s" is no address',
    (address) => {
      expect(() => targetOf(address)).toThrow(expect.objectContaining({ rule: 'url' }));
    },
  );

  test.each(['file:///etc/passwd', 'ftp://feeds.example/', 'data:,x', 'javascript:1'])(
    '%s is not fetched',
    (address) => {
      expect(() => targetOf(address)).toThrow(expect.objectContaining({ rule: 'url-scheme' }));
    },
  );
});

test('a URL has at most 8192 characters, that of a redirect too, and the error does not repeat it', () => {
  const start = 'https://feeds.example/';
  expect(targetOf(start.padEnd(8192, 'x')).url.href).toHaveLength(8192);
  const tooLong = start.padEnd(8193, 'x');
  for (const read of [
    () => targetOf(tooLong),
    () => redirectedTarget(targetOf(start), tooLong.slice(start.length)),
  ]) {
    expect(read).toThrow(
      expect.objectContaining({ rule: 'url-length', message: expect.stringMatching(/^.{1,250}$/) }),
    );
    expect(read).toThrow('has 8193 characters; at most 8192 are requested (limit "urlLength")');
  }
});

describe('where a redirect leads', () => {
  const from = targetOf('https://ann:se%3Acret@feeds.example/a');

  test('credentials stay within the origin', () => {
    expect(redirectedTarget(from, 'b?c').credentials['authorization']).toBe(basic);
    expect(redirectedTarget(from, 'b?c').url.href).toBe('https://feeds.example/b?c');
    expect(redirectedTarget(from, 'https://other.example/a').credentials['authorization']).toBeUndefined();
    expect(
      redirectedTarget(from, 'https://feeds.example:8443/a').credentials['authorization'],
    ).toBeUndefined();
  });

  test('credentials in the new address are used', () => {
    expect(redirectedTarget(from, 'https://bob:x@other.example/').credentials['authorization']).toBe(
      `Basic ${Buffer.from('bob:x').toString('base64')}`,
    );
  });

  test('https never becomes http, the other way round is fine', () => {
    expect(() => redirectedTarget(from, 'http://feeds.example/a')).toThrow(
      expect.objectContaining({ rule: 'redirect-insecure' }),
    );
    expect(redirectedTarget(targetOf('http://feeds.example/a'), 'https://feeds.example/a').url.protocol).toBe(
      'https:',
    );
  });

  test('a place that is no address is refused', () => {
    expect(() => redirectedTarget(from, 'https://[')).toThrow(expect.objectContaining({ rule: 'url' }));
  });
});
