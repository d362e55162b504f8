import { expect, test } from '@jest/globals';
import { readPayload } from './payload-reading.ts';
import { withBase } from './relative-base.ts';

const address = 'http://example.com/feeds/a.xml';
const entry = (inside: string, attributes = '') =>
  readPayload(`<entry xmlns="http://www.w3.org/2005/Atom"${attributes}>${inside}</entry>`);

test.each([
  ['a link', '<link href="a"/>'],
  ['a link to a root', "<link href = '/a'/>"],
  ['a link to another host', '<link href="//example.org/a"/>'],
  ['an empty link', '<link href=""/>'],
  ['content elsewhere', '<content src="a:b/../a b" type="a/b"/><content src="c" type="a/b"/>'],
  ['an image in escaped HTML', '<content type="html">&lt;IMG SRC="a.png">&lt;/IMG></content>'],
  ['an image whose quotes are escaped', '<content type="html">&lt;img src=&quot;a.png&quot;/></content>'],
  ['an image without quotes', '<content type="html">&lt;img src=a.png></content>'],
  ['a link in CDATA', '<content type="html"><![CDATA[<a href="../a">]]></content>'],
  ['an RSS link', '<link xmlns="">/a</link><link>/a</link>'],
  ['a base of its own', '<content type="html" xml:base="sub/">A</content>'],
])('%s that is relative gives the payload the address of its document', (_case, inside) => {
  expect(withBase(entry(inside), address).scope.base).toBe(address);
});

test.each([
  ['nothing that is a reference', '<title>href is /a</title>'],
  [
    'absolute references',
    '<link href="http://e/a"/><content type="html">&lt;a href=" mailto:a@e">' +
      '&lt;img src=&quot;https://e/&quot;>&lt;img src=data:image/png></content>' +
      '<link xmlns="">\n http://e/</link>',
  ],
])('a payload with %s is answered itself', (_case, inside) => {
  const payload = entry(inside);
  expect(withBase(payload, address)).toBe(payload);
});

test('a relative base becomes absolute, and an absolute one stays', () => {
  expect(withBase(entry('', ' xml:base="../x/"'), address).scope.base).toBe('http://example.com/x/');
  const payload = entry('<link href="a"/>', ' xml:base="http://example.org/"');
  expect(withBase(payload, address)).toBe(payload);
});

test('the scope keeps its bindings and its language', () => {
  expect(withBase(entry('<link href="a"/>', ' xml:lang="de"'), address).scope).toEqual({
    namespaces: [['', 'http://www.w3.org/2005/Atom']],
    language: 'de',
    base: address,
  });
});
