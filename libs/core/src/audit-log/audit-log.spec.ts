import { describe, expect, test } from '@jest/globals';
import { createMemoryStore } from '#in-memory';
import type { AuditEntry, AuditStore } from '../audit.ts';
import { AuditLog } from './audit-log.ts';
import { entryHash } from './entry-hash.ts';
import { LogVerifier } from './log-verifier.ts';

/** Two processes that write one log, at a time that moves by a second with each look at it. */
function processes(more: Partial<AuditStore> = {}) {
  let time = Date.parse('2026-01-01T00:00:00Z');
  let chains = 0;
  const now = (): Date => new Date((time += 1000));
  const { audit } = createMemoryStore({ clock: { now } });
  const store = Object.assign(audit, more);
  const options = { store, now, keptDays: 30, newChain: () => String((chains += 1)).padStart(16, '0') };
  const pass = (days: number): void => void (time += days * 86_400_000);
  return { store, now, pass, one: new AuditLog(options), other: new AuditLog(options), options };
}

/** Two chains of ten entries each and more, that name one another. */
async function written() {
  const all = processes();
  const { one, other, store } = all;
  for (let number = 0; number < 10; number += 1) {
    await one.record({ outcome: 'done', operation: `one ${number}`, status: 200 });
    await other.record({ outcome: 'done', operation: `other ${number}`, status: 200 });
  }
  await one.link();
  await other.record({ outcome: 'done', operation: 'other 10' });
  await other.link();
  return { ...all, entries: await store.list({ limit: 1000 }) };
}

function verify(entries: readonly AuditEntry[], now = new Date('2026-01-01T01:00:00Z')) {
  const verifier = new LogVerifier();
  for (const entry of entries) {
    const fault = verifier.add(entry);
    if (fault !== undefined) return fault;
  }
  return verifier.end(now);
}

const rehashed = (entry: AuditEntry): AuditEntry => ({ ...entry, hash: entryHash(entry) });

describe('a log', () => {
  test('of several processes holds, each chain whole and naming the others', async () => {
    const { entries, other, store } = await written();
    expect(verify(entries)).toBeUndefined();
    const chains = [...new Set(entries.map(({ chain }) => chain))];
    expect(chains).toHaveLength(2);
    const links = entries.filter(({ outcome }) => outcome === 'link');
    expect(links).toHaveLength(4);
    for (let round = 0; round < 3; round += 1) await other.link();
    expect(await store.list({ limit: 1000 })).toHaveLength(entries.length);
  });

  test('has the entries of the same moment in one write', async () => {
    const writes: number[] = [];
    const all = processes();
    const append = all.store.append.bind(all.store);
    all.store.append = async (entries) => {
      writes.push(entries.length);
      await append(entries);
    };
    await Promise.all(Array.from({ length: 20 }, () => all.one.record({ outcome: 'done' })));
    await Promise.all(Array.from({ length: 700 }, () => all.one.record({ outcome: 'done' })));
    expect(writes).toEqual([21, 500, 200]);
    expect(verify(await all.store.list({ limit: 1000 }))).toBeUndefined();
  });

  test('goes on with another chain where a write has failed, whatever of it is stored', async () => {
    const all = processes();
    const append = all.store.append.bind(all.store);
    await all.one.record({ outcome: 'done' });
    all.store.append = async (entries) => {
      await append(entries.slice(0, 1));
      throw new Error('away');
    };
    const lost = [all.one.record({ outcome: 'done' }), all.one.record({ outcome: 'done' })];
    for (const { status } of await Promise.allSettled(lost)) expect(status).toBe('rejected');
    all.store.append = async () => Promise.reject(new Error('away'));
    await expect(all.one.ready()).rejects.toThrow('away');
    all.store.append = append;
    await all.one.ready();
    await all.one.record({ outcome: 'done' });
    const entries = await all.store.list({ limit: 100 });
    expect(entries.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 0, 1]);
    expect(verify(entries)).toBeUndefined();
  });

  test('may lack the oldest entries once they were kept for long enough, and no others', async () => {
    const { store, pass, one, now } = await written();
    pass(31);
    await one.record({ outcome: 'done' });
    const entries = await store.list({ limit: 1000 });
    await store.removeBefore(new Date(Date.parse(entries[7]?.at ?? '')));
    const left = await store.list({ limit: 1000 });
    expect(left).toHaveLength(entries.length - 7);
    expect(verify(left, now())).toBeUndefined();
    expect(verify(left, new Date(Date.parse(entries[0]?.at ?? '') + 86_400_000))).toMatchObject({
      kind: 'removed',
    });
    // Older ones of another chain are left.
    expect(verify(entries.slice(0, 2).concat(entries.slice(5)), now())).toMatchObject({ kind: 'removed' });
    await store.removeBefore(new Date(Date.parse(entries.at(-1)?.at ?? '')));
    expect(verify(await store.list({ limit: 1000 }), now())).toBeUndefined();
  });
});

describe('it shows where a log', () => {
  test.each<[string, string, (entries: AuditEntry[]) => AuditEntry[]]>([
    ['was changed', 'changed', (all) => all.with(5, { ...all[5]!, operation: 'another' })],
    [
      'was changed, with a new hash',
      'changed',
      (all) => all.with(5, rehashed({ ...all[5]!, operation: 'another' })),
    ],
    ['lost an entry', 'removed', (all) => all.toSpliced(5, 1)],
    ['has two in another order', 'reordered', (all) => all.with(5, all[6]!).with(6, all[5]!)],
    ['has one twice', 'reordered', (all) => all.toSpliced(5, 0, all[4]!)],
    [
      'has one more',
      'inserted',
      (all) => all.toSpliced(6, 0, rehashed({ ...all[5]!, id: `${all[5]!.id}0`, operation: 'forged' })),
    ],
    ['lost the end of a chain', 'removed', (all) => withoutEnd(all, all[0]!.chain)],
    ['lost a chain', 'removed', (all) => all.filter(({ chain }) => chain !== all[0]!.chain)],
    ['lost its beginning', 'removed', (all) => all.slice(6)],
    ['has an end of a chain written anew', 'forked', (all) => rewritten(all, all[0]!.chain)],
  ])('%s', async (_, kind, tamper) => {
    const { entries } = await written();
    expect(verify(tamper(entries))).toMatchObject({ kind });
  });
});

/** Without the last entries of a chain, which the link of the other one names. */
function withoutEnd(entries: readonly AuditEntry[], chain: string): AuditEntry[] {
  return entries.filter((entry) => entry.chain !== chain || entry.sequence < 8);
}

/** With the entries of a chain from the eighth on replaced by such as have right hashes. */
function rewritten(entries: readonly AuditEntry[], chain: string): AuditEntry[] {
  let former: AuditEntry['former'];
  return entries.map((entry) => {
    if (entry.chain !== chain || entry.sequence < 8) return entry;
    const forged = rehashed({ ...entry, ...(former && { former }), status: 299 });
    former = { hash: forged.hash, at: forged.at };
    return forged;
  });
}
