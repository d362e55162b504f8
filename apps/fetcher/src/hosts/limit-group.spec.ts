import { expect, test } from '@jest/globals';
import { limitGroupOf } from './limit-group.ts';

test.each([
  ['https://feeds.example.co.uk/a', 'example.co.uk'],
  ['http://EXAMPLE.com:8080/', 'example.com'],
  ['https://www.müller.example/', 'xn--mller-kva.example'],
  ['https://ann.github.io/feed', 'ann.github.io'],
  ['http://192.0.2.7:81/', '192.0.2.7'],
  ['http://[2001:db8::1]/', '[2001:db8::1]'],
  ['http://localhost:8080/', 'localhost'],
])('%s is of the registrable domain %s', (url, domain) => {
  expect(limitGroupOf(url, 'domain')).toBe(domain);
});

test('a host has its port, unless that is the default one', () => {
  expect(limitGroupOf('https://a.example:443/x', 'host')).toBe('a.example');
  expect(limitGroupOf('https://a.example:444/x', 'host')).toBe('a.example:444');
});

test('feeds are distinguished by their URLs', () => {
  const [one, same, other] = ['https://a.example/x', 'HTTPS://A.example/x#y', 'https://a.example/z'].map(
    (url) => limitGroupOf(url, 'feed'),
  );
  expect(one).toBe(same);
  expect(one).not.toBe(other);
});
