import { describe, expect, test } from '@jest/globals';
import { refusal } from '../../../feedsync/src/xml/__fixtures__/reading.ts';
import { fieldsOfPayload, payloadFromFields } from '../fields.ts';
import type { ItemFields } from '../fields.ts';
import type { OutlineDocument, OutlineNode } from './outline-document.ts';
import { readOutlineDocument } from './outline-reading.ts';
import { writeOutlineDocument } from './outline-writing.ts';

/** What the last step of some work returns. */
function last<Result>(steps: Generator<void, Result, void>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

interface PlainNode {
  readonly id?: string;
  readonly fields: ItemFields;
  readonly children?: readonly PlainNode[];
}

/** A document's outlines as plain values. */
const plain = (nodes: readonly OutlineNode[]): PlainNode[] =>
  nodes.map(({ id, payload, children }) => ({
    ...(id !== undefined && { id }),
    fields: fieldsOfPayload(payload),
    ...(children.length > 0 && { children: plain(children) }),
  }));

const world =
  '<outline type="rss" text="World &quot;&amp;&#10;more" xmlUrl="http://example.com/?a&amp;b"' +
  ' htmlUrl="http://example.com/" fz:options="{&quot;a&quot;:1}">' +
  '<fz:tag>t</fz:tag><note xmlns="urn:note">n</note></outline>';
const aggregator = `<?xml version="1.0" encoding="UTF-8"?>
<!-- from an aggregator -->
<opml version="2.0" xmlns:fz="urn:forumzilla:" xmlns:unused="urn:unused">
  <head><title> My
feeds </title><ownerName>R</ownerName></head>
  <body>
    <outline text="News" title="News" fz:folder="1">
      ${world}
      <outline text="Deep"><outline text="Deeper"/></outline>
    </outline>
    <outline text="Last" __proto__="1"/>
  </body>
</opml>
`;

describe('a plain OPML document', () => {
  test('is read as a tree', () => {
    const document = last(readOutlineDocument(aggregator));
    expect(document.title).toBe('My\nfeeds');
    expect(plain(document.outlines)).toEqual([
      {
        fields: { attributes: { text: 'News', title: 'News', '{urn:forumzilla:}folder': '1' } },
        children: [
          {
            fields: {
              attributes: {
                type: 'rss',
                text: 'World "&\nmore',
                xmlUrl: 'http://example.com/?a&b',
                htmlUrl: 'http://example.com/',
                '{urn:forumzilla:}options': '{"a":1}',
              },
              payload: '<fz:tag xmlns:fz="urn:forumzilla:">t</fz:tag>\n<note xmlns="urn:note">n</note>',
            },
          },
          {
            fields: { attributes: { text: 'Deep' } },
            children: [{ fields: { attributes: { text: 'Deeper' } } }],
          },
        ],
      },
      {
        fields: {
          attributes: Object.fromEntries([
            ['text', 'Last'],
            ['__proto__', '1'],
          ]),
        },
      },
    ]);
  });

  test('is written as aggregators read it, one outline a line', () => {
    expect([...writeOutlineDocument(last(readOutlineDocument(aggregator)))].join(''))
      .toBe(`<?xml version="1.0" encoding="utf-8"?>
<opml version="1.0" xmlns:fz="urn:forumzilla:">
  <head>
    <title>My
feeds</title>
  </head>
  <body>
    <outline text="News" title="News" fz:folder="1">
      ${world}
      <outline text="Deep">
        <outline text="Deeper"/>
      </outline>
    </outline>
    <outline text="Last" __proto__="1"/>
  </body>
</opml>
`);
  });

  test('comes back the same from what is written', () => {
    const document = last(readOutlineDocument(aggregator));
    expect(last(readOutlineDocument([...writeOutlineDocument(document)].join('')))).toEqual(document);
  });

  test('may be without a title and without outlines', () => {
    const document = last(readOutlineDocument('<opml version="1.1"><head/><body/></opml>'));
    expect(document).toEqual({ outlines: [] });
    expect(last(readOutlineDocument([...writeOutlineDocument(document)].join('')))).toEqual(document);
  });
});

test('prefixes that are bound to several namespaces, xml:base and xml:lang are preserved', () => {
  const document = last(
    readOutlineDocument(`<opml xml:base="http://example.com/"><body xml:lang="en">
    <outline text="a" x:a="1" xmlns:x="urn:1">
      <outline text="b" x:a="2" xmlns:x="urn:2" xml:lang=""/><x:c/>
    </outline>
    <outline text="d" xmlns="urn:default" xmlns:y="urn:1" y:a="3" xml:base="sub/"/></body></opml>`),
  );
  const [first] = document.outlines;
  expect(first?.children[0]?.payload).toMatchObject({
    attributes: [{ name: 'text' }, { namespace: 'urn:2', name: 'a', value: '2' }],
    scope: { base: 'http://example.com/' },
  });
  const again = last(readOutlineDocument([...writeOutlineDocument(document)].join('')));
  expect(plain(again.outlines)).toEqual(plain(document.outlines));
  expect(again.outlines[0]?.children[0]?.payload.scope.language).toBeUndefined();
});

test('attributes without a known prefix are given one', () => {
  const document: OutlineDocument = {
    title: 'T',
    outlines: [
      { payload: payloadFromFields('opml', { attributes: { text: 'a', '{urn:x}b': '1' } }), children: [] },
    ],
  };
  expect(plain(last(readOutlineDocument([...writeOutlineDocument(document)].join(''))).outlines)).toEqual(
    plain(document.outlines),
  );
});

test(
  'a synchronised document gives its ids; a tombstone is left out and the outlines in it are where ' +
    'it was',
  () => {
    const sync = (id: string, deleted = '') =>
      `<sx:sync id="${id}" version="1" deleted="${deleted}"><sx:history by="A"/></sx:sync>`;
    const { outlines } = last(
      readOutlineDocument(
        '<opml xmlns:sx="http://www.microsoft.com/schemas/rss/sse"><body>' +
          `<outline text="a">${sync('a')}<outline text="b">${sync('b', 'true')}<outline text="c">` +
          `${sync('c', 'false')}</outline></outline><outline text="d"/></outline></body></opml>`,
        { synchronisation: ['http://www.microsoft.com/schemas/rss/sse'] },
      ),
    );
    expect(plain(outlines)).toEqual([
      {
        id: 'a',
        fields: { attributes: { text: 'a' } },
        children: [
          { id: 'c', fields: { attributes: { text: 'c' } } },
          { fields: { attributes: { text: 'd' } } },
        ],
      },
    ]);
  },
);

test('an outline of 100,000 levels is written, and refused by name when it is read', () => {
  let node: OutlineNode | undefined;
  const payload = payloadFromFields('opml', { attributes: { text: 'a' } });
  for (let depth = 0; depth < 100_000; depth += 1)
    node = { payload, children: node === undefined ? [] : [node] };
  const written = [...writeOutlineDocument({ outlines: node === undefined ? [] : [node] })].join('');
  expect(written.split('</outline>')).toHaveLength(100_000);
  expect(refusal(() => last(readOutlineDocument(written)))).toMatchObject({ rule: 'limit-outline-depth' });
});

describe('a document is refused with its place', () => {
  test.each([
    ['that is a feed', '\n<rss version="2.0"><channel/></rss>', 'feed-root', 2],
    ['without a body', '<opml>\n</opml>', 'opml-body', 2],
    ['with two bodies', '<opml><body/>\n<body/></opml>', 'opml-body', 2],
    ['that is not well-formed', '<opml>\n<body><outline></body></opml>', 'xml-well-formed', 2],
    ['that is empty', '', 'xml-well-formed', 1],
    ['with an internal entity', '<!DOCTYPE opml [<!ENTITY a "a">]><opml/>', 'xml-doctype', 1],
    ['with a lone surrogate', '<opml>\n<body><outline text="\uD800"/></body></opml>', 'xml-character', 2],
  ])('%s', (_case, document, rule, line) => {
    expect(refusal(() => last(readOutlineDocument(document)))).toMatchObject({ rule, line });
  });

  test('with more outlines than the limit', () => {
    expect(
      refusal(() =>
        last(readOutlineDocument('<opml><body><outline/><outline/></body></opml>', { items: 1 })),
      ),
    ).toMatchObject({ rule: 'limit-items' });
  });
});
