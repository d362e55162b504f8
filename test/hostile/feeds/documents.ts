import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { HostileFeed } from '../hostile-feed.ts';
import { atom, atomItem, entry, mergedAs, rss, sseNamespace } from '../markup.ts';

const zeros = (length: number): Buffer => Buffer.alloc(length);
const bomb = (): string => atomItem(`<summary>${' '.repeat(30_000_000)}</summary>`);

/** Documents that are no feeds, or not the ones that they are read as, and bodies that unpack to more. */
export const documents: readonly HostileFeed[] = [
  {
    name: 'documents/html',
    body: () => '<!DOCTYPE html><html><head><title>Sign in</title></head><body><p>Hello<br></body></html>',
    headers: { 'content-type': 'text/html' },
    expected: { refused: 'feed-root' },
  },
  {
    name: 'documents/xhtml',
    body: () => '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>',
    expected: { refused: 'feed-root' },
  },
  {
    name: 'documents/json-feed',
    body: () => '{"version":"https://jsonfeed.org/version/1.1","items":[]}',
    isValidated: false,
    expected: { merged: [] },
  },
  {
    name: 'documents/rss-1.0',
    body: () =>
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">' +
      '<channel/></rdf:RDF>',
    expected: { refused: 'feed-root' },
  },
  {
    name: 'documents/atom-0.3',
    body: () => '<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry/></feed>',
    isValidated: false,
    expected: { merged: [], plain: 1, warnings: ['item-empty'] },
  },
  {
    name: 'documents/svg-bomb',
    body: () => `<svg xmlns="http://www.w3.org/2000/svg">${'<use href="#a"/>'.repeat(100_000)}</svg>`,
    expected: { refused: 'feed-root' },
  },
  {
    name: 'documents/png',
    body: () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
    expected: { refused: 'encoding-invalid' },
  },
  { name: 'documents/zeros', body: () => zeros(5_000_000), expected: { refused: 'xml-well-formed' } },
  {
    name: 'documents/gzip-file',
    body: () => gzipSync(atom(entry('x'))),
    expected: { refused: 'encoding-invalid' },
  },
  {
    name: 'documents/gzip',
    body: () => gzipSync(atom(entry('x'))),
    headers: { 'content-encoding': 'gzip' },
    expected: mergedAs('x'),
  },
  {
    name: 'documents/gzip-bomb',
    body: () => gzipSync(bomb()),
    headers: { 'content-encoding': 'gzip' },
    expected: { refused: 'compression-ratio' },
  },
  {
    name: 'documents/brotli-bomb',
    body: () => brotliCompressSync(bomb()),
    headers: { 'content-encoding': 'br' },
    expected: { refused: 'compression-ratio' },
  },
  {
    name: 'documents/gzip-in-gzip',
    body: () => gzipSync(gzipSync(atom(entry('x')))),
    headers: { 'content-encoding': 'gzip, gzip' },
    expected: { refused: 'content-coding' },
  },
  {
    name: 'documents/gzip-that-is-none',
    body: () => atom(entry('x')),
    headers: { 'content-encoding': 'gzip' },
    expected: { refused: 'content-coding' },
  },
  {
    name: 'documents/gzip-cut',
    body: () => gzipSync(atom(entry('x'))).subarray(0, 100),
    headers: { 'content-encoding': 'gzip' },
    expected: { refused: 'content-coding' },
  },
  {
    name: 'documents/gzip-with-garbage-behind',
    body: () => Buffer.concat([gzipSync(atom(entry('x'))), zeros(1000)]),
    headers: { 'content-encoding': 'gzip' },
    expected: mergedAs('x'),
  },
  {
    name: 'documents/unknown-coding',
    body: () => atom(entry('x')),
    headers: { 'content-encoding': 'compress' },
    expected: { refused: 'content-coding' },
  },
  {
    name: 'documents/rss-into-atom',
    body: () => rss('<item/>'),
    expected: { merged: ['first', 'last'], plain: 1, warnings: ['item-empty'] },
  },
  {
    name: 'documents/atom-into-rss',
    body: () =>
      atomItem(
        '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">a<script>b</script></div>' +
          '</content><content type="application/octet-stream">AAAA</content>' +
          '<content src="http://a.example/"/>',
      ),
    into: 'rss',
    expected: mergedAs('x'),
  },
  {
    name: 'documents/opml-into-atom',
    body: () => '<opml version="1.0"><head/><body><outline text="a"/></body></opml>',
    isValidated: false,
    expected: { refused: 'feed-root' },
  },
  {
    name: 'documents/atom-into-sse',
    body: () => atom(entry('x')),
    into: 'sse',
    isValidated: false,
    expected: { refused: 'feed-root' },
  },
  {
    name: 'documents/sse-into-atom',
    body: () =>
      `<rss version="2.0" xmlns:sx="${sseNamespace}"><channel><item><title>T</title>` +
      '<sx:sync id="x" version="1"/></item></channel></rss>',
    isValidated: false,
    expected: { merged: [], plain: 1, warnings: ['item-synchronised'] },
  },
  {
    name: 'documents/rss-0.91',
    body: () => '<rss version="0.91"><channel><item><title>T</title></item></channel></rss>',
    expected: { merged: ['adopted'] },
  },
  {
    name: 'documents/entry-alone',
    body: () => `<entry xmlns="http://www.w3.org/2005/Atom"/>`,
    expected: { refused: 'feed-root' },
  },
];
