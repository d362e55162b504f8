import { auditIdAt } from '../audit.ts';
import type { AuditEntry, AuditRecord, ChainHead } from '../audit.ts';
import { entryHash } from './entry-hash.ts';

/** The entries of one process, each with the hash of the one before it. */
export class Chain {
  readonly id: string;
  #last: AuditEntry | undefined;
  /** How many entries before this one have its time. */
  #count = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** The next entry of the chain. Its time is never before that of the one before it. */
  next(record: AuditRecord, now: Date): AuditEntry {
    const former = this.#last;
    const time = new Date(Math.max(now.getTime(), former === undefined ? 0 : Date.parse(former.at)));
    const at = time.toISOString();
    this.#count = at === former?.at ? this.#count + 1 : 0;
    const entry = {
      ...record,
      id: `${auditIdAt(time)}.${this.id}.${this.#count.toString(16).padStart(5, '0')}`,
      chain: this.id,
      sequence: former === undefined ? 0 : former.sequence + 1,
      at,
      ...(former && { former: { hash: former.hash, at: former.at } }),
    };
    this.#last = { ...entry, hash: entryHash(entry) };
    return this.#last;
  }
}

/** What an entry is as the head of its chain. */
export function headOf({ chain, sequence, hash, at }: AuditEntry): ChainHead {
  return { chain, sequence, hash, at };
}
