import { expect, test } from '@jest/globals';
import { convertPayload, payloadFromFields, readPayload } from '#xml';
import type { Payload } from '#xml';
import { markOf } from './mark.ts';

const atom = (inner: string): Payload =>
  readPayload(`<entry xmlns="http://www.w3.org/2005/Atom">${inner}</entry>`);
const rss = (inner: string): Payload => readPayload(`<item>${inner}</item>`);

const samples: Payload[] = [
  atom('<title>A &lt; b &amp; c</title><content>Say  "x &lt; y" &amp; more</content>'),
  atom(
    '<title type="html">&lt;i>Caf&amp;eacute;&lt;/i> &amp;lt;b&amp;gt;</title>' +
      '<content type="html">&lt;p>One&lt;/p>\n&lt;p>&amp;uuml;ber&lt;/p></content>',
  ),
  atom(
    '<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">An <b>x</b></div></title>' +
      '<summary>Short</summary>',
  ),
  atom('<title>T</title><summary>Short</summary><content>Long</content>'),
  atom('<title>T</title><summary>Short</summary><content src="http://example.org/"/>'),
  rss('<title>AT&amp;T</title><description>&lt;p>Hello&lt;/p></description>'),
  rss('<title>Only</title>'),
];

test.each(samples.map((payload) => [payload] as const))(
  'a version has the same mark in either format %#',
  (payload) => {
    const mark = markOf(payload, false);
    const other = convertPayload(payload, payload.format === 'atom' ? 'rss' : 'atom');
    expect(markOf(other, false)).toEqual(mark);
    expect(markOf(convertPayload(other, payload.format), false)).toEqual(mark);
  },
);

test('white space, markup and the way of escaping do not count, words do', () => {
  const mark = markOf(payloadFromFields('rss', { title: 'Café', content: '<p>One</p><p>two</p>' }), false);
  expect(markOf(payloadFromFields('atom', { title: ' Café\n', content: 'One two' }), false)).toEqual(mark);
  expect(
    markOf(
      payloadFromFields('atom', {
        title: 'Caf&eacute;',
        titleType: 'html',
        content: 'One <b>two</b>',
        contentType: 'html',
      }),
      false,
    ),
  ).toEqual(mark);
  expect(markOf(payloadFromFields('atom', { title: 'Café', content: 'One too' }), false)).not.toEqual(mark);
});

test('of an outline all attributes count, of a deleted item nothing', () => {
  const outline = (attributes: Record<string, string>): readonly string[] =>
    markOf(payloadFromFields('opml', { attributes }), false);
  expect(outline({ text: 'a', xmlUrl: 'http://a/' })).not.toEqual(
    outline({ text: 'a', xmlUrl: 'http://b/' }),
  );
  expect(outline({ text: 'a', xmlUrl: 'http://a/' })).toEqual(outline({ xmlUrl: 'http://a/', text: 'a' }));
  expect(markOf(payloadFromFields('rss', { title: 'a' }), true)).toEqual(
    markOf(payloadFromFields('rss', {}), true),
  );
});
