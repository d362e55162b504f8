import { describe, expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, itemId } from '#core';
import { editItem } from './edit-item.ts';
import { PublishedLengthError } from './published-length.ts';

const aId = itemId('a');

const now = (): Date => new Date('2026-02-01T00:00:00Z');

/** Creates an item; returns whether it is stored. */
async function create(format: 'atom' | 'rss', content: string, contentType?: string): Promise<boolean> {
  const collection = sampleCollection({
    key: collectionKey('todo'),
    format,
    createdAt: now(),
  });
  const store = createMemoryStore({ clock: { now } });
  const payload = payloadFromFields(format, {
    title: 'T',
    content,
    ...(contentType !== undefined && { contentType }),
  });
  try {
    await editItem({ store, now, publicUrl: 'http://here.example' }, collection, aId, {
      action: 'create',
      id: aId,
      payload,
    });
  } catch (error) {
    expect(error).toBeInstanceOf(PublishedLengthError);
    const { message } = error as Error;
    expect(message).toMatch(
      /^The item "a" would have \d+ characters in the (atom|rss) feed with its conflicts; /,
    );
    expect(message).toContain('; at most 4128768 are published (limit "publishedLength").');
  }
  return (await store.items.load(collectionKey('todo'), [aId])).has(aId);
}

describe('an item that readers of our feeds would refuse the whole feed for is not stored', () => {
  test('because it is too long in its own format, as it is escaped there', async () => {
    expect(await create('rss', 'x'.repeat(4_100_000))).toBe(true);
    expect(await create('rss', 'x'.repeat(4_200_000))).toBe(false);
    expect(await create('rss', '&'.repeat(900_000))).toBe(false);
  });

  test('because it is too long in the other format', async () => {
    const division = (count: number): string =>
      `<div xmlns="http://www.w3.org/1999/xhtml">${`<b>${'&lt;'.repeat(10)}</b>`.repeat(count)}</div>`;
    expect(await create('atom', division(10_000), 'xhtml')).toBe(true);
    expect(await create('atom', division(30_000), 'xhtml')).toBe(false);
  });
});
