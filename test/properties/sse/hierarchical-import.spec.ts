import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { payloadFromFields } from '#xml';
import type { OutlineNode } from '#xml';
import { exportOutline, importOutline } from '#items';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey } from '#core';
import { runs } from '../feedsync/runs.ts';

const now = (): Date => new Date('2026-02-01T00:00:00Z');
const collection = sampleCollection({
  key: collectionKey('feeds'),
  protocol: 'sse',
  format: 'opml',
  title: 'Feeds',
  createdAt: now(),
});

/** Few texts and addresses, so that many outlines are alike. */
const { outlines: anyOutlines } = fc.letrec<{ outlines: OutlineNode[] }>((tie) => ({
  outlines: fc.array(
    fc.record({
      payload: fc
        .record({
          text: fc.constantFrom('a', 'b', 'c', 'd'),
          xmlUrl: fc.option(
            fc.nat(9).map((at) => `http://${at}.example`),
            { nil: undefined },
          ),
          title: fc.constantFrom('x', 'y'),
        })
        .map(({ xmlUrl, ...attributes }) =>
          payloadFromFields('opml', {
            attributes: { ...attributes, ...(xmlUrl !== undefined && { xmlUrl }) },
          }),
        ),
      children: fc.oneof({ maxDepth: 3 }, fc.constant([]), tie('outlines')),
    }),
    { maxLength: 6 },
  ),
}));

function contents(nodes: readonly OutlineNode[]): unknown {
  return nodes.map(({ payload: { attributes }, children }) => [attributes, contents(children)]);
}

function total(nodes: readonly OutlineNode[]): number {
  return nodes.reduce((sum, { children }) => sum + 1 + total(children), 0);
}

describe('replacing a collection by one document after the other', () => {
  test('leaves exactly what the last one says, in its order, and nothing to do the second time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyOutlines, { minLength: 1, maxLength: 4 }), async (documents) => {
        let count = 0;
        const ports = {
          store: createMemoryStore({ clock: { now } }),
          now,
          publicUrl: 'http://here.example',
          identifier: () => `new-${(count += 1)}`,
        };
        for (const outlines of documents) {
          const before = total((await exportOutline(ports, collection)).outlines);
          const report = await importOutline(ports, collection, { outlines }, { mode: 'replace' });
          expect(report.created - report.deleted).toBe(total(outlines) - before);
          const exported = await exportOutline(ports, collection);
          expect(contents(exported.outlines)).toEqual(contents(outlines));
          const nothing = { created: 0, updated: 0, moved: 0, deleted: 0, unchanged: total(outlines) };
          expect(await importOutline(ports, collection, { outlines }, { mode: 'replace' })).toEqual(nothing);
          expect(await importOutline(ports, collection, exported, { mode: 'replace' })).toEqual(nothing);
        }
      }),
      runs(100),
    );
  });
});
