import { feedsyncDialect } from '#feedsync';
import { expect, test } from '@jest/globals';
import { createFeedDecoder } from './decoder.ts';
import { DocumentBeginning } from './document-beginning.ts';
import { FeedError } from './feed-error.ts';
import { FeedScanner } from './scanner.ts';

/** How a document is refused that is read in pieces of so many bytes. */
function refusalOf(document: string | Buffer, length = 1000): FeedError {
  const [beginning, decoder, scanner] = [
    new DocumentBeginning(),
    createFeedDecoder(),
    new FeedScanner(feedsyncDialect),
  ];
  const bytes = Buffer.from(document as string);
  try {
    for (let start = 0; start < bytes.length; start += length) {
      const piece = bytes.subarray(start, start + length);
      beginning.take(piece);
      scanner.write(decoder.write(piece));
    }
    scanner.write(decoder.end());
    scanner.end();
  } catch (error) {
    if (error instanceof FeedError) return beginning.explain(error);
    throw error;
  }
  throw new Error('Nothing was refused.');
}

const rdf = `
<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
</rdf:RDF>`;

test.each([
  [
    '<!DOCTYPE html>\n<html><body><br></body></html>',
    'feed-root',
    /^This is an HTML page, not a feed\. The root is "html" in no namespace; /,
  ],
  ['<html><br>', 'feed-root', /^This is an HTML page, not a feed\./],
  [
    '{"version":"https://jsonfeed.org/version/1.1"}',
    'xml-well-formed',
    /^This is a JSON Feed, a format that is not read\. Not well-formed/,
  ],
  [
    rdf,
    'feed-root',
    /^This is an RSS 1\.0 feed \(RDF\), a format that is not read\. The root is "RDF" in "http:[^"]+-ns#"; /,
  ],
  [
    '<rss version="2.0"><channel><title>a & b</title></channel></rss>',
    'xml-well-formed',
    /^This is an RSS 2\.0 feed, but its XML is broken\. Not well/,
  ],
  ['<opml version="1.0"><body/></opml>', 'feed-root', /^This is an OPML document\. The root is "opml" in no/],
  ['', 'xml-well-formed', /^This is an empty document, not a feed\./],
  ['Too many requests', 'xml-well-formed', /^This is plain text, not a feed\./],
])('of %j an error says what it is, and keeps its rule and place', (document, rule, message) => {
  const { violation } = refusalOf(document);
  expect(violation).toMatchObject({
    rule,
    severity: 'error',
    line: expect.any(Number),
    column: expect.any(Number),
  });
  expect(violation.message).toMatch(message);
});

test('bytes that are no text are called what they are', () => {
  const pdf = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3', 'latin1');
  expect(refusalOf(pdf).message).toMatch(/^This is a PDF document, not a feed\. .*rule encoding-invalid/);
});

test('what it is shows from what has been read, however small the pieces are', () => {
  expect(refusalOf('<html><p><br></p></html>', 4).message).toMatch(/^This is an HTML page, not a feed\./);
});

test('an error about one place in a feed stays as it is', () => {
  const { violation } = refusalOf('<rss version="2.0"><channel/><channel/></rss>');
  expect(violation).toMatchObject({
    rule: 'rss-channel',
    message: expect.stringMatching(/^An RSS feed has one channel/),
  });
});
