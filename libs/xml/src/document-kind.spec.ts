import { expect, test } from '@jest/globals';
import { recognizeDocument, recognizedBytes } from './document-kind.ts';

const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';

test.each([
  ['an Atom feed', 'atom', '<?xml version="1.0"?>\n<!-- > -->\n<feed xmlns="http://www.w3.org/2005/Atom">'],
  ['an Atom feed', 'atom', "<a:feed xmlns:b='urn:b' xmlns:a='http://www.w3.org/2005/Atom'>"],
  ['an RSS 2.0 feed', 'rss', '<rss version="2.0"><channel>'],
  [
    'an RSS 0.91 feed',
    'rss',
    '<!DOCTYPE rss PUBLIC "-//N//DTD RSS 0.91//EN" "http://n.example/d">\n<rss version=\'0.91\'>',
  ],
  ['an RSS 2.0 feed', 'rss', '<!DOCTYPE rss [<!ENTITY a "<b>">]>\n<rss>'],
  ['an OPML document', 'opml', '\uFEFF<opml version="1.0"/>'],
  ['an Atom 0.3 feed', 'atom-0.3', '<feed version="0.3" xmlns="http://purl.org/atom/ns#">'],
  ['a single Atom entry', 'atom-entry', '<entry xmlns="http://www.w3.org/2005/Atom"/>'],
  ['an RSS 1.0 feed (RDF)', 'rdf', `<rdf:RDF ${rdf} xmlns="http://purl.org/rss/1.0/">`],
  ['an RSS 0.90 feed (RDF)', 'rdf', `<rdf:RDF ${rdf} xmlns="http://my.netscape.com/rdf/simple/0.9/">`],
  ['an RDF document', 'rdf', `<rdf:RDF ${rdf}/>`],
  ['a JSON Feed', 'json-feed', ' {"version": "https://jsonfeed.org/version/1.1", "title": "x"}'],
  ['a JSON Feed', 'json-feed', '{"version":"https:\\/\\/jsonfeed.org\\/version\\/1"}'],
  ['a JSON Feed', 'json-feed', '{"home_page_url":"http://a.example/","items":[{'],
  ['JSON', 'json', '{"version":"2.0","error":"no"}'],
  ['JSON', 'json', '[1]'],
  ['an HTML page', 'html', '<!doctype html>\n<title>Not found</title>'],
  ['an HTML page', 'html', '<!-- a --><!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"><rss>'],
  ['an HTML page', 'html', '<HTML><BODY>'],
  ['an HTML page', 'html', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">'],
  [
    'an HTML page',
    'html',
    '<br />\n<b>Warning</b>: no database in <b>feed.php</b><?xml version="1.0"?><rss>',
  ],
  ['a sitemap', 'sitemap', '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'],
  ['an XML document with the root "feed"', 'xml', '<feed/>'],
  ['an XML document with the root "Error"', 'xml', '<?xml version="1.0"?><Error><Code>AccessDenied</Code>'],
  ['an XML document', 'xml', `<!-- ${'-'.repeat(recognizedBytes)} --><rss/>`],
  ['plain text', 'text', 'Forbidden'],
  ['an empty document', 'empty', ''],
  ['an empty document', 'empty', ' \n'],
  ['binary data', 'binary', 'a\0b'],
])('%s (%s) is recognized in %j', (name, kind, text) => {
  expect(recognizeDocument(Buffer.from(text))).toEqual({
    kind,
    name,
    isFeed: ['atom', 'rss', 'opml'].includes(kind),
  });
});

test.each([
  ['a PDF document', '255044462d312e37'],
  ['gzip data', '1f8b0800'],
  ['a PNG image', '89504e470d0a1a0a'],
])('%s is recognized by its first bytes', (name, hex) => {
  expect(recognizeDocument(Buffer.from(hex, 'hex'))).toEqual({ kind: 'binary', name, isFeed: false });
});

test.each([
  ['with a byte order mark', '\uFEFF<rss/>'],
  ['without one', '<rss/>'],
])('UTF-16 is read, %s', (_what, text) => {
  const little = Buffer.from(text, 'utf16le');
  expect(recognizeDocument(little).kind).toBe('rss');
  expect(recognizeDocument(Buffer.from(little).swap16()).kind).toBe('rss');
});

test('a name that goes on and on is cut off', () => {
  expect(recognizeDocument(Buffer.from(`<${'x'.repeat(3000)}/>`)).name).toBe(
    `an XML document with the root "${'x'.repeat(60)}"`,
  );
});
