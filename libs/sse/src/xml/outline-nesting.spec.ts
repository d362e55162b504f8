import { itemId } from '#core';
import { sseDialect } from './dialect.ts';
import { expect, test } from '@jest/globals';
import { payloadFromFields, FeedScanner, openOutline, outlineEnd } from '#xml';
import { writeSseItem } from './item-writing.ts';

test('written outlines can be nested, and are found where they were put', () => {
  const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map((id) =>
    writeSseItem({
      sync: { id: itemId(id), version: 1, deleted: false, conflict: false, history: [{ by: 'A' }] },
      data: payloadFromFields('opml', { attributes: { text: `${id} >` }, payload: '<note/>' }),
      conflicts: [],
    }),
  );
  const scanner = new FeedScanner(sseDialect);
  const items = scanner.write(
    '<opml xmlns:sx="https://www.microsoft.com/schemas/rss/sse">' +
      `<body>${openOutline(a)}${b}${c}${outlineEnd}</body></opml>`,
  );
  expect(items.map(({ id, place }) => [id, place])).toEqual([
    ['b', { parent: 'a', after: '', before: 'c' }],
    ['c', { parent: 'a', after: 'b' }],
    ['a', { after: '' }],
  ]);
});
