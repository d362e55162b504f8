import { describe, expect, test } from '@jest/globals';
import { refusal } from '../../feedsync/src/xml/__fixtures__/reading.ts';
import { fieldsOfPayload, payloadFromFields } from './fields.ts';
import { convertPayload } from './format-mapping.ts';
import { readPayload } from './payload-reading.ts';

const atom = (inside: string, attributes = '') =>
  readPayload(`<entry xmlns="http://www.w3.org/2005/Atom"${attributes}>${inside}</entry>`);
const division = '<div xmlns="http://www.w3.org/1999/xhtml">a <b>b</b></div>';

describe('an Atom entry', () => {
  test('as plain values', () => {
    const payload = atom(
      '<title>A &amp; <![CDATA[<b>]]><!-- c --></title><summary type="html">&lt;p></summary>' +
        `<content type="xhtml">${division}</content><rights>R</rights>` +
        '<link rel="alternate" href="http://example.com/?a&amp;b"/><category term="x"/><category term="y"/>',
      ' xml:lang="en" xml:base="http://example.com/"',
    );
    expect(fieldsOfPayload(payload)).toEqual({
      title: 'A & <b>',
      summary: '<p>',
      summaryType: 'html',
      content: division,
      contentType: 'xhtml',
      rights: 'R',
      link: 'http://example.com/?a&b',
      categories: ['x', 'y'],
      language: 'en',
      base: 'http://example.com/',
    });
  });

  test('leaves to payload what the values cannot express, with the declarations it needs', () => {
    const inside =
      '<link rel="via" href="v"/><content type="image/png" src="p"/><ext:a b="ext:c"/><id>urn:1</id>';
    expect(
      fieldsOfPayload(atom(inside, ' xmlns:ext="urn:x" xmlns:unused="urn:u"')).payload?.split('\n'),
    ).toEqual([
      '<link rel="via" href="v"/>',
      '<content type="image/png" src="p"/>',
      '<ext:a xmlns:ext="urn:x" b="ext:c"/>',
      '<id>urn:1</id>',
    ]);
  });

  test('puts a second title into payload', () => {
    expect(fieldsOfPayload(atom('<title>A</title><title>B</title>'))).toEqual({
      title: 'A',
      payload: '<title>B</title>',
    });
  });

  test('declares the prefixes that an XHTML value has from around it', () => {
    const payload = readPayload(
      '<a:entry xmlns:a="http://www.w3.org/2005/Atom" xmlns:h="http://www.w3.org/1999/xhtml">' +
        '<a:content type="xhtml"><h:div>x</h:div></a:content></a:entry>',
    );
    expect(fieldsOfPayload(payload)).toEqual({
      content: '<h:div xmlns:h="http://www.w3.org/1999/xhtml">x</h:div>',
      contentType: 'xhtml',
    });
  });

  test('means the same after an update that sends back what it got', () => {
    const fields = fieldsOfPayload(
      atom(
        `<title type="html">A</title><content type="xhtml">${division}</content>` +
          '<category term="&quot;&#10;"/><x:a xmlns:x="urn:x">&#13;</x:a><author><name>N</name></author>',
        ' xml:lang="en"',
      ),
    );
    expect(fieldsOfPayload(payloadFromFields('atom', fields))).toEqual(fields);
  });
});

describe('elements with further attributes', () => {
  const former = atom(
    '<title xml:lang="en" x:y="z">A</title>' +
      '<link rel="alternate" type="text/html" href="http://e.example/1"/>' +
      '<link rel="alternate" hreflang="de" href="http://e.example/de"/>' +
      '<content type="html" xml:base="http://e.example/">&lt;p></content>' +
      '<summary type="text/plain">S</summary>' +
      '<category term="x" scheme="urn:s" label="X"/><category term="y"/><rights xml:lang="en">R</rights>',
    ' xmlns:x="urn:x"',
  );
  const fields = {
    title: 'A',
    link: 'http://e.example/1',
    content: '<p>',
    contentType: 'html',
    summary: 'S',
    categories: ['x', 'y'],
    rights: 'R',
    payload: '<link rel="alternate" hreflang="de" href="http://e.example/de"/>',
  };

  test('are values', () => {
    expect(fieldsOfPayload(former)).toEqual(fields);
  });

  test('stay as they are in an edit that sends back what it got', () => {
    const { children } = payloadFromFields('atom', fields, [], former);
    expect(children.map(({ xml }) => xml).toSorted()).toEqual(
      former.children.map(({ xml }) => xml.replace('<title', '<title xmlns:x="urn:x"')).toSorted(),
    );
  });

  test('keep them in an edit, whatever it makes of their values', () => {
    const edited = { ...fields, title: 'B', link: 'http://e.example/2', categories: ['y', 'z', 'x'] };
    const { children } = payloadFromFields('atom', edited, [], former);
    expect(children.map(({ xml }) => xml)).toEqual([
      '<title xmlns:x="urn:x" xml:lang="en" x:y="z">B</title>',
      '<summary type="text/plain">S</summary>',
      '<content type="html" xml:base="http://e.example/">&lt;p></content>',
      '<rights xml:lang="en">R</rights>',
      '<link type="text/html" rel="alternate" href="http://e.example/2"/>',
      '<category term="y"/>',
      '<category term="z"/>',
      '<category term="x" scheme="urn:s" label="X"/>',
      '<link rel="alternate" hreflang="de" href="http://e.example/de"/>',
    ]);
  });
});

describe('an RSS item with content:encoded', () => {
  const encoded = (text: string): string =>
    `<content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/">${text}</content:encoded>`;
  const item = (inside: string) => readPayload(`<item>${inside}</item>`);
  const former = item(`<title>A</title><description>S</description>${encoded('&lt;p&gt;')}`);

  test('has its content there, and its summary in the description', () => {
    expect(fieldsOfPayload(former)).toEqual({ title: 'A', summary: 'S', content: '<p>' });
    const html = item(`${encoded('<![CDATA[<p>]]>')}<description>&lt;i></description>`);
    expect(fieldsOfPayload(html)).toEqual({ summary: '<i>', summaryType: 'html', content: '<p>' });
  });

  test.each([
    ['with another content', { content: '<b>' }, `<description>S</description>${encoded('&lt;b&gt;')}`],
    ['with another summary', { summary: 'T' }, `<description>T</description>${encoded('&lt;p&gt;')}`],
    ['without a summary', { summary: undefined }, encoded('&lt;p&gt;')],
    [
      'without a content',
      { content: undefined },
      '<description>S</description><summary xmlns="http://www.w3.org/2005/Atom">S</summary>',
    ],
  ])('stays one %s', (_what, change, expected) => {
    const fields = { title: 'A', summary: 'S', content: '<p>', ...change };
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    const edited = payloadFromFields('rss', given, [], former);
    expect(edited.children.map(({ xml }) => xml).join('')).toBe(`<title>A</title>${expected}`);
    expect(fieldsOfPayload(edited)).toEqual(given);
  });

  test('has only a description where that is empty or holds elements', () => {
    for (const text of [' ', '<b>x</b>'])
      expect(fieldsOfPayload(item(`<description>D</description>${encoded(text)}`))).toEqual({
        content: 'D',
        payload: encoded(text),
      });
  });
});

describe('an RSS item', () => {
  const payload = readPayload(
    '<item><title>A</title><description>&lt;p></description><link>http://example.com/</link>' +
      '<category>x</category><category domain="d">y</category><guid>1</guid></item>',
  );

  test('as plain values', () => {
    expect(fieldsOfPayload(payload)).toEqual({
      title: 'A',
      content: '<p>',
      link: 'http://example.com/',
      categories: ['x', 'y'],
      payload: '<guid>1</guid>',
    });
  });

  test('means the same after an update that sends back what it got', () => {
    const fields = fieldsOfPayload(payload);
    expect(fieldsOfPayload(payloadFromFields('rss', fields))).toEqual(fields);
  });

  test('has its summary as description beside a content, and carries what that and RSS can not say', () => {
    const fields = { title: 'A', content: '<p>', summary: 'S & T', rights: '<b>R</b>', rightsType: 'html' };
    const made = payloadFromFields('rss', fields);
    expect(made.children.map(({ xml }) => xml)).toEqual([
      '<title>A</title>',
      '<description>S &amp;amp; T</description>',
      '<content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/">&lt;p&gt;</content:encoded>',
      '<summary xmlns="http://www.w3.org/2005/Atom">S &amp; T</summary>',
      '<rights xmlns="http://www.w3.org/2005/Atom" type="html">&lt;b&gt;R&lt;/b&gt;</rights>',
    ]);
    expect(fieldsOfPayload(made)).toEqual(fields);
    expect(fieldsOfPayload(convertPayload(made, 'atom'))).toEqual({ ...fields, contentType: 'html' });
  });

  test.each([
    ['plain', { summary: 'S & T' }, 'S &amp;amp; T'],
    ['of HTML', { summary: '<i>S</i>', summaryType: 'html' }, '&lt;i&gt;S&lt;/i&gt;'],
  ])(
    'without a content has its %s summary as description, as the mapping does',
    (_what, fields, description) => {
      const made = payloadFromFields('rss', fields);
      expect(made.children[0]?.xml).toBe(`<description>${description}</description>`);
      expect(fieldsOfPayload(made)).toEqual(fields);
      expect(fieldsOfPayload(convertPayload(made, 'atom'))).toEqual(fields);
      const native = convertPayload(payloadFromFields('atom', fields), 'rss');
      expect(fieldsOfPayload(native)).toEqual(fields);
    },
  );

  test('has no types but those of HTML, and of what it carries', () => {
    expect(refusal(() => payloadFromFields('rss', { titleType: 'html' }))).toMatchObject({
      rule: 'field-format',
      message: 'An RSS item has no place for titleType.',
    });
    expect(refusal(() => payloadFromFields('rss', { content: division, contentType: 'xhtml' })).rule).toBe(
      'field-type',
    );
    const fields = { content: 'x', summary: division, summaryType: 'xhtml' };
    expect(fieldsOfPayload(payloadFromFields('rss', fields))).toEqual(fields);
  });
});

test('text is written so that it comes back, white space and all', () => {
  const title = ' a\r\n\tb ]]> <&>"\' é😀 ';
  expect(fieldsOfPayload(payloadFromFields('atom', { title, link: title, categories: [title] }))).toEqual({
    title,
    link: title,
    categories: [title],
  });
});

test('a sync of a known namespace in payload is left out', () => {
  const payload = '<!-- c --> <a/><s:sync xmlns:s="urn:sync" id="x"/>';
  const { children } = payloadFromFields('atom', { payload }, ['urn:sync']);
  expect(children.map(({ name }) => name)).toEqual(['a']);
});

describe('bad fields are refused', () => {
  test.each([
    ['half an element', { payload: '<a>' }, 'xml-well-formed'],
    [
      'an end tag that breaks out',
      { payload: '</entry><entry xmlns="http://www.w3.org/2005/Atom">' },
      'xml-well-formed',
    ],
    ['an undeclared prefix', { payload: '<x:a/>' }, 'xml-well-formed'],
    ['a document type', { payload: '<!DOCTYPE a><a/>' }, 'xml-well-formed'],
    ['text between elements', { payload: '<a/>b<c/>' }, 'field-payload'],
    ['text behind elements', { payload: '<a/><![CDATA[b]]>' }, 'field-payload'],
    ['an unknown type', { content: 'a', contentType: 'text/plain' }, 'field-type'],
    ['XHTML that is not well-formed', { content: '<div>', contentType: 'xhtml' }, 'xml-well-formed'],
    [
      'XHTML that breaks out',
      { content: `${division}</content><content>`, contentType: 'xhtml' },
      'xml-well-formed',
    ],
    ['XHTML without its namespace', { content: '<div/>', contentType: 'xhtml' }, 'field-xhtml'],
    ['a forbidden character', { title: '\u0001' }, 'xml-character'],
    ['a lone surrogate', { payload: '<a>\uD800</a>' }, 'xml-character'],
  ])('%s', (_case, fields, rule) => {
    expect(refusal(() => payloadFromFields('atom', fields)).rule).toBe(rule);
  });

  test('with the place in the payload', () => {
    expect(refusal(() => payloadFromFields('atom', { payload: '<a/>\n<b x="<"/>' }))).toMatchObject({
      line: 2,
      column: 7,
    });
  });
});
