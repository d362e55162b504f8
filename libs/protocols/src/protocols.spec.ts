import { expect, test } from '@jest/globals';
import { protocolOfDocument, protocols } from './protocols.ts';

test.each([
  ['an outline', '\uFEFF<?xml version="1.0"?>\n<!-- <rss> -->\n<opml version="1.0">', 'sse'],
  [
    'RSS with the namespace as the specification prints it',
    '<rss version="2.0" xmlns:sx="https://www.microsoft.com/schemas/rss/sse">',
    'sse',
  ],
  ['RSS with its http form', "<rss version='2.0' xmlns:s='http://www.microsoft.com/schemas/rss/sse'>", 'sse'],
  [
    'an RSS feed that speaks of outlines',
    '<?xml version="1.0"?><rss version="2.0"><channel><title>opml</title>',
    'feedsync',
  ],
  [
    'RSS whose items declare the namespace',
    '<rss version="2.0"><channel><item><s:sync xmlns:s="http://www.microsoft.com/schemas/rss/sse"',
    'sse',
  ],
  [
    'a FeedSync feed that speaks of the other namespace',
    '<rss xmlns:sx="http://feedsync.org/2007/feedsync"><channel>' +
      '<title> xmlns:sx="http://www.microsoft.com/schemas/rss/sse"',
    'feedsync',
  ],
  [
    'an Atom feed',
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">',
    'feedsync',
  ],
  ['nothing', '', 'feedsync'],
])('%s', (_case, text, protocol) => {
  expect(protocolOfDocument(text)).toBe(protocols.get(protocol));
});
