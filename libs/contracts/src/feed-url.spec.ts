import { describe, expect, test } from '@jest/globals';
import { explainFeedUrl, feedUrl } from './feed-url.ts';

describe('the URL of a feed', () => {
  test.each([
    'https://example.org/feed',
    'HTTP://example.org',
    'http://127.0.0.1:8080/feeds/todo.atom',
    'http://[::1]/',
    ' https://example.org/feed\n',
  ])('%j is one', (text) => {
    expect(explainFeedUrl(text)).toBeUndefined();
    expect(feedUrl.safeParse(text).success).toBe(true);
  });

  test.each([
    ['example.org/feed', 'https://example.org/feed'],
    ['example.org', 'https://example.org'],
    ['//example.org/feed', 'https://example.org/feed'],
    ['news.example.org:8443/feed?x=1', 'https://news.example.org:8443/feed?x=1'],
    ['bücher.example/feed', 'https://bücher.example/feed'],
    ['localhost:8080/feeds/todo.atom', 'http://localhost:8080/feeds/todo.atom'],
    ['127.0.0.1:8080/feed', 'http://127.0.0.1:8080/feed'],
    ['[::1]:8080/feed', 'http://[::1]:8080/feed'],
  ])('%j has no scheme', (text, suggestion) => {
    expect(explainFeedUrl(text)).toBe(`\`${text}\` has no scheme; did you mean \`${suggestion}\`?`);
  });

  test.each([
    'ftp://example.org/feed',
    'mailto:me@example.org',
    'no address',
    '',
    'feed',
    'https://',
    'javascript:alert(1)',
  ])('%j is refused without a suggestion', (text) => {
    expect(explainFeedUrl(text)).toBe(`must be an http or https URL; got \`${text}\``);
  });

  test('is repeated in a message up to 200 characters', () => {
    expect(explainFeedUrl(`x ${'y'.repeat(1000)}`)).toHaveLength(
      'must be an http or https URL; got `…`'.length + 200,
    );
  });

  test('that is no text is refused as any other value', () => {
    expect(feedUrl.safeParse(5).error?.issues[0]?.message).toContain('expected string');
  });
});
