import { expect, test } from '@jest/globals';
import { finish } from '../steps.ts';
import { htmlOfXhtml } from './xhtml-as-html.ts';

const content = (inside: string, attributes = ''): string =>
  '<content type="xhtml" xmlns="http://www.w3.org/2005/Atom" xmlns:h="http://www.w3.org/1999/xhtml" ' +
  `${attributes}>${inside}</content>`;
const div = (inside: string): string => content(`<div xmlns="http://www.w3.org/1999/xhtml">${inside}</div>`);

test.each([
  [div('<p>One<br/>two &amp; <b>three</b></p>'), '<p>One<br>two &amp; <b>three</b></p>'],
  [content('<h:div><h:p class="x">A</h:p><h:a/></h:div>'), '<p class="x">A</p><a></a>'],
  [div('<![CDATA[a < b]]><!-- c --><?d e?>'), 'a &lt; b'],
  [div('<p xml:lang="de" title="&quot;">x</p>'), '<p lang="de" title="&quot;">x</p>'],
  [
    div(
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">' +
        '<use xlink:href="#a"/></svg>',
    ),
    '<svg><use xlink:href="#a"></use></svg>',
  ],
  [div('<x xmlns="urn:x"><b xmlns="http://www.w3.org/1999/xhtml">kept</b> y</x>'), '<b>kept</b> y'],
  [div('a<script>if (a &lt; b) c()</script><style>p {}</style>b'), 'ab'],
  [div(''), ''],
])('%s', (xml, html) => {
  expect(finish(htmlOfXhtml(xml))).toBe(html);
});

test('references are made absolute by the base in force at their position', () => {
  const xml = content(
    '<div xmlns="http://www.w3.org/1999/xhtml" xml:base="b/"><a href="c">x</a>' +
      '<img xml:base="/d/" src="e"/><a href="#f">y</a></div>',
  );
  expect(finish(htmlOfXhtml(xml, 'http://a.example/'))).toBe(
    '<a href="http://a.example/b/c">x</a><img src="http://a.example/d/e"><a href="#f">y</a>',
  );
  expect(finish(htmlOfXhtml(xml))).toBe('<a href="c">x</a><img src="e"><a href="#f">y</a>');
});
