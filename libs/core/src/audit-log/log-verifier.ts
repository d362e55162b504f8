import { LatestEntries } from '../latest-entries.ts';
import type { AuditEntry, ChainHead } from '../audit.ts';
import { entryHash } from './entry-hash.ts';

/** How many hashes of each chain are remembered, to compare with what links say of them. */
const rememberedHashes = 10_000;
const day = 86_400_000;

/** The first place of an audit log that does not hold. */
export interface AuditFault {
  readonly kind: 'changed' | 'reordered' | 'removed' | 'inserted' | 'forked';
  /** The entry at which it shows. */
  readonly id: string;
  readonly chain: string;
  readonly message: string;
}

interface SeenChain {
  readonly last: AuditEntry;
  readonly hashes: LatestEntries<number, string>;
}

/** A head that a link names, and that was not met yet. */
interface Expected {
  readonly head: ChainHead;
  readonly by: AuditEntry;
}

/**
 * Examines the whole of an audit log, entry by entry in the order of their ids: whether each has its hash
 * and follows the one before it in its chain, and whether the chains are as long as others say. Only the
 * oldest entries may be missing, those that were kept for as long as the log says.
 */
export class LogVerifier {
  readonly #chains = new Map<string, SeenChain>();
  readonly #expected = new Map<string, Expected[]>();
  /** The first entry of each chain that does not begin with its first one. */
  readonly #beheaded: AuditEntry[] = [];
  #first: AuditEntry | undefined;
  #lastId = '';
  #keptDays: number | undefined;
  #count = 0;

  /** How many entries were examined, and how many chains they are of. */
  get size(): { readonly entries: number; readonly chains: number } {
    return { entries: this.#count, chains: this.#chains.size };
  }

  /** Where each chain ends. */
  get heads(): ChainHead[] {
    return Array.from(this.#chains.values(), ({ last: { chain, sequence, hash, at } }) => ({
      chain,
      sequence,
      hash,
      at,
    }));
  }

  /** Takes the next entry; returns what is wrong with it. */
  add(entry: AuditEntry): AuditFault | undefined {
    const fault = this.#faultOf(entry);
    if (fault !== undefined) return fault;
    this.#count += 1;
    this.#first ??= entry;
    this.#lastId = entry.id;
    const hashes =
      this.#chains.get(entry.chain)?.hashes ?? new LatestEntries<number, string>(rememberedHashes);
    hashes.set(entry.sequence, entry.hash);
    this.#chains.set(entry.chain, { last: entry, hashes });
    const { keptDays } = entry;
    if (keptDays !== undefined) this.#keptDays = Math.min(keptDays, this.#keptDays ?? keptDays);
    return this.#metExpected(entry) ?? this.#namedHeads(entry);
  }

  /** Says, at the end of the log, what is missing in it. */
  end(now: Date): AuditFault | undefined {
    for (const entry of this.#beheaded)
      if (!this.#mayBeRemoved(entry.former?.at ?? entry.at, now))
        return faultAt(entry, 'removed', `the ${entry.sequence} entries of its chain before it are missing`);
    for (const [chain, expected] of this.#expected)
      for (const { head, by } of expected)
        if (this.#chains.has(chain) || !this.#mayBeRemoved(head.at, now))
          return {
            kind: 'removed',
            id: by.id,
            chain,
            message: `the chain ${chain} had reached the number ${head.sequence} by then, which is missing`,
          };
    return undefined;
  }

  #faultOf(entry: AuditEntry): AuditFault | undefined {
    const { chain, sequence, former, hash, id } = entry;
    if (entryHash(entry) !== hash) return faultAt(entry, 'changed', 'its hash is not that of its content');
    if (id <= this.#lastId)
      return faultAt(entry, 'reordered', `it stands after ${this.#lastId}, which is later`);
    const last = this.#chains.get(chain)?.last;
    if (last === undefined) {
      if (sequence > 0) this.#beheaded.push(entry);
      return undefined;
    }
    if (sequence > last.sequence + 1)
      return faultAt(
        entry,
        'removed',
        `the entry before it in its chain, number ${sequence - 1}, is missing`,
      );
    if (sequence <= last.sequence)
      return faultAt(entry, 'inserted', `its chain has another entry with the number ${sequence}`);
    if (former?.hash !== last.hash)
      return faultAt(
        entry,
        'changed',
        `the entry before it in its chain, ${last.id}, is not the one that it names`,
      );
    return undefined;
  }

  /** Compares an entry with what links before it have said of it. */
  #metExpected(entry: AuditEntry): AuditFault | undefined {
    const expected = this.#expected.get(entry.chain);
    if (expected === undefined) return undefined;
    const met = expected.filter(({ head }) => head.sequence <= entry.sequence);
    const left = expected.filter(({ head }) => head.sequence > entry.sequence);
    if (left.length === 0) this.#expected.delete(entry.chain);
    else this.#expected.set(entry.chain, left);
    return met.map(({ head, by }) => this.#forkAt(head, by)).find((fault) => fault !== undefined);
  }

  #namedHeads(by: AuditEntry): AuditFault | undefined {
    for (const head of by.heads ?? []) {
      const seen = this.#chains.get(head.chain);
      if (seen === undefined || seen.last.sequence < head.sequence)
        this.#expected.set(head.chain, [...(this.#expected.get(head.chain) ?? []), { head, by }]);
      else {
        const fault = this.#forkAt(head, by);
        if (fault !== undefined) return fault;
      }
    }
    return undefined;
  }

  #forkAt({ chain, sequence, hash }: ChainHead, by: AuditEntry): AuditFault | undefined {
    const found = this.#chains.get(chain)?.hashes.get(sequence);
    if (found === undefined || found === hash) return undefined;
    return {
      kind: 'forked',
      id: by.id,
      chain,
      message: `the number ${sequence} of the chain ${chain} is another entry than it was then`,
    };
  }

  /** Whether an entry of this time may be missing: it was kept for long enough, and no older one is left. */
  #mayBeRemoved(at: string, now: Date): boolean {
    const kept = this.#keptDays === undefined ? 0 : this.#keptDays * day;
    return Date.parse(at) < now.getTime() - kept && at <= (this.#first?.at ?? at);
  }
}

function faultAt({ id, chain }: AuditEntry, kind: AuditFault['kind'], message: string): AuditFault {
  return { kind, id, chain, message };
}
