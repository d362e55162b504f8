import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditIdAt } from '#core';
import type { AuditEntry } from '#core';
import type { OpenFixture } from './fixture.ts';
import { second } from './samples.ts';

/** An entry at a second, of a chain. */
function entry(at: number, chain: string, sequence: number, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: `${auditIdAt(second(at))}.${chain}.00000`,
    chain,
    sequence,
    at: second(at).toISOString(),
    outcome: 'done',
    hash: `hash ${at}`,
    ...more,
  };
}

const entries = {
  first: entry(1, 'a', 0, { outcome: 'link', heads: [], keptDays: 30 }),
  shop: entry(2, 'a', 1, {
    operation: 'updateItem',
    actor: { kind: 'key', id: '3f7a', name: 'shop' },
    address: '192.0.2.1',
    request: 'r-1',
    collection: 'acme.orders',
    subject: { kind: 'item', id: 'x' },
    revision: { before: 1, after: 2 },
    former: { hash: 'hash 1', at: second(1).toISOString() },
  }),
  other: entry(3, 'b', 0, { operation: 'putTenant', outcome: 'refused', request: 'r-2' }),
  orders: entry(4, 'a', 2, {
    operation: 'updateItem',
    collection: 'orders',
    actor: { kind: 'key', id: '9c' },
  }),
  late: entry(5, 'b', 1, { operation: 'updateItem', collection: 'acme.notes' }),
};

/** What every store keeps of the audit log. */
export function describeAuditStore(name: string, open: OpenFixture): void {
  describe(`The audit log in ${name}`, () => {
    let fixture: Awaited<ReturnType<OpenFixture>>;
    beforeAll(async () => {
      fixture = await open();
      const { first, shop, other, orders, late } = entries;
      await fixture.store.audit.append([first, shop]);
      await fixture.store.audit.append([other]);
      await fixture.store.audit.append([orders]);
      await fixture.store.audit.append([late]);
      await fixture.store.audit.append([]);
    });
    afterAll(() => fixture.close());

    test('returns its entries as they were, in the order of their times, page by page', async () => {
      const { audit } = fixture.store;
      const { first, shop, other, orders, late } = entries;
      expect(await audit.list({ limit: 3 })).toEqual([first, shop, other]);
      expect(await audit.list({ after: other.id, limit: 3 })).toEqual([orders, late]);
      expect(await audit.list({ after: late.id, limit: 3 })).toEqual([]);
    });

    test.each<[object, (keyof typeof entries)[]]>([
      [{ collection: 'orders' }, ['orders']],
      [{ tenant: 'acme' }, ['shop', 'late']],
      [{ actor: '3f7a' }, ['shop']],
      [{ operation: 'updateItem' }, ['shop', 'orders', 'late']],
      [{ operation: 'updateItem', tenant: 'acme', actor: '3f7a' }, ['shop']],
      [{ outcome: 'refused' }, ['other']],
      [{ request: 'r-1' }, ['shop']],
      [{ since: second(3) }, ['other', 'orders', 'late']],
      [{ until: second(3) }, ['first', 'shop']],
      [{ since: second(2), until: second(4) }, ['shop', 'other']],
      [{ since: second(2), after: entries.other.id }, ['orders', 'late']],
      [{ since: second(4), after: entries.shop.id }, ['orders', 'late']],
      [{ collection: 'acme' }, []],
    ])('%j selects %j', async (filter, expected) => {
      const found = await fixture.store.audit.list({ ...filter, limit: 10 });
      expect(found).toEqual(expected.map((key) => entries[key]));
    });

    test('knows where each chain ends, the latest one first', async () => {
      const { audit } = fixture.store;
      expect(await audit.heads(5)).toEqual([entries.late, entries.orders]);
      expect(await audit.heads(1)).toEqual([entries.late]);
    });

    test('adds no entry a second time', async () => {
      await expect(fixture.store.audit.append([entries.late])).rejects.toThrow();
      expect(await fixture.store.audit.list({ limit: 10 })).toHaveLength(5);
    });

    test('loses only what is older than a time', async () => {
      const { audit } = fixture.store;
      await audit.removeBefore(second(3));
      expect(await audit.list({ limit: 10 })).toEqual([entries.other, entries.orders, entries.late]);
    });
  });
}
