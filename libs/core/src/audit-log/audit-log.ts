import type { AuditEntry, AuditRecord, AuditStore } from '../audit.ts';
import { Chain, headOf } from './chain.ts';

/** How many entries one write has at most, and how many heads of other chains a link names. */
const [entriesAtOnce, headsNamed] = [500, 100];
/** Milliseconds after which a chain says again for how long entries are kept, if it goes on. */
const day = 86_400_000;

interface AuditLogOptions {
  readonly store: Pick<AuditStore, 'append' | 'heads'>;
  readonly now: () => Date;
  /** Makes the id of a chain, another one each time: 16 hexadecimal digits. */
  readonly newChain: () => string;
  /** For how many days entries are kept. */
  readonly keptDays: number;
}

interface Waiting {
  /** Absent if nothing is to be written but the beginning of a chain. */
  readonly record?: AuditRecord;
  readonly resolve: (id: string) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes the audit log for one process, as a chain of its own. One write is in progress at a time; what is
 * recorded meanwhile goes together into the next one. Whether a write that failed has stored anything is
 * unknown, so that the chain ends with it, and another one begins.
 */
export class AuditLog {
  readonly #options: AuditLogOptions;
  #chain: Chain | undefined;
  /** The sequence that each chain had when a link last named it. */
  #named = new Map<string, number>();
  #linkedAt = 0;
  #hasChanged = false;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  /** Returns once entries can be written, as far as is known. Throws what the store throws. */
  async ready(): Promise<void> {
    if (this.#chain === undefined) await this.#enqueue();
  }

  /** Writes an entry, and returns its id once it is stored. Throws what the store throws. */
  record(record: AuditRecord): Promise<string> {
    this.#hasChanged = true;
    return this.#enqueue(record);
  }

  /**
   * Names the heads of other chains that have gone on since they were last named; called from time to time.
   * Throws what the store throws.
   */
  async link(): Promise<void> {
    const { store, now, keptDays } = this.#options;
    const chain = this.#chain;
    if (chain === undefined) return;
    const heads = (await store.heads(headsNamed)).filter(
      (head) => head.chain !== chain.id && this.#isNews(head),
    );
    const isLong = this.#hasChanged && now().getTime() - this.#linkedAt >= day;
    if (heads.length === 0 && !isLong) return;
    await this.#enqueue({ outcome: 'link', keptDays, heads: heads.map(headOf) });
    this.#noteNamed(heads);
  }

  /** A link that follows what was named is no news: two chains would name each other for ever. */
  #isNews({ chain, sequence, outcome }: AuditEntry): boolean {
    const named = this.#named.get(chain) ?? -1;
    return sequence > named + (outcome === 'link' && sequence > 0 ? 1 : 0);
  }

  #noteNamed(heads: readonly AuditEntry[]): void {
    for (const { chain, sequence } of heads) this.#named.set(chain, sequence);
    this.#linkedAt = this.#options.now().getTime();
    this.#hasChanged = false;
  }

  #enqueue(record?: AuditRecord): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...(record && { record }), resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Whatever else is recorded in this turn of the event loop comes along.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#writeOnce(this.#waiting.splice(0, entriesAtOnce));
    this.#isWriting = false;
  }

  async #writeOnce(waiting: readonly Waiting[]): Promise<void> {
    const { store, now } = this.#options;
    try {
      const begun = this.#chain === undefined ? await this.#begin() : [];
      const chain = this.#chain as Chain;
      const ids: string[] = [];
      const entries = waiting.flatMap(({ record }) =>
        record === undefined ? [] : [chain.next(record, now())],
      );
      await store.append([...begun, ...entries]);
      ids.push(...entries.map(({ id }) => id));
      for (const { record, resolve } of waiting) resolve(record === undefined ? '' : (ids.shift() as string));
    } catch (error) {
      this.#chain = undefined;
      for (const { reject } of [...waiting, ...this.#waiting.splice(0)]) reject(error);
    }
  }

  /** Begins a chain, and returns its first entry, which names the heads of the others. */
  async #begin(): Promise<AuditEntry[]> {
    const { store, now, newChain, keptDays } = this.#options;
    const heads = await store.heads(headsNamed);
    this.#chain = new Chain(newChain());
    this.#named = new Map();
    this.#noteNamed(heads);
    return [this.#chain.next({ outcome: 'link', keptDays, heads: heads.map(headOf) }, now())];
  }
}
