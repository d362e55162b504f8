import { describe, expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import type { Format, Payload } from '#xml';
import type { Edit } from '#protocol';
import type { Protocol } from '#protocol';
import { itemId } from '#core';
import type { CollectionSettings } from '#core';

/** The settings that a test's collection has. */
export const settings: CollectionSettings = { windowItems: 10, expiresAfter: 3600, cleanUpHistory: false };

/** An edit by an endpoint, this many seconds after the hour. */
export const editor = (by: string, second: number) => ({
  by,
  when: `2026-01-01T10:00:${String(second).padStart(2, '0')}Z`,
});

/** A payload with nothing but this title. */
export function titled(format: Format, title: string): Payload {
  return payloadFromFields(format, format === 'opml' ? { attributes: { text: title } } : { title });
}

/**
 * What the services rely on with every protocol.
 * @param create what creates an item, besides its id and payload
 */
export function describeProtocol(
  name: string,
  protocol: Protocol,
  create: Partial<Extract<Edit, { action: 'create' }>> = {},
): void {
  describe.each(protocol.formats)(`${name} in %s`, (format) => {
    const created = protocol.edit(
      undefined,
      { action: 'create', id: itemId('a'), payload: titled(format, 'Milk'), ...create },
      editor('test:here', 1),
      settings,
    );

    test('is published in its own format', () => {
      expect(protocol.publishedFormats(format)).toContain(format);
    });

    test('leaves a payload in the format of the collection as it is', () => {
      const payload = titled(format, 'Milk');
      expect(protocol.payloadIn(payload, format)).toBe(payload);
    });

    test('creates an item that is neither deleted nor in conflict', () => {
      expect(protocol.summary(created)).toMatchObject({ deleted: false, conflictCount: 0 });
      expect(JSON.stringify(protocol.json(created))).toContain('Milk');
    });

    test('makes a later version of the same item with every edit', () => {
      let content = created;
      const edits: Edit[] = [
        { action: 'update', payload: titled(format, 'Butter') },
        { action: 'delete' },
        { action: 'undelete', payload: titled(format, 'Bread') },
      ];
      for (const [index, edit] of edits.entries()) {
        const before = protocol.summary(content);
        content = protocol.edit(content, edit, editor('test:here', index + 2), settings);
        const after = protocol.summary(content);
        expect(after.id).toBe(before.id);
        expect(after.deleted).toBe(edit.action === 'delete');
        expect(after.version.updates).toBe(before.version.updates + 1);
      }
      expect(JSON.stringify(protocol.json(content))).toContain('Bread');
    });

    test('leaves the content that it edits as it was', () => {
      const before = structuredClone(created);
      protocol.edit(created, { action: 'delete' }, editor('test:here', 9), settings);
      expect(created).toEqual(before);
    });
  });

  test(`${name} has a title, and says each of its settings once`, () => {
    expect(protocol.title).not.toBe('');
    expect(new Set(protocol.settings).size).toBe(protocol.settings.length);
  });
}
