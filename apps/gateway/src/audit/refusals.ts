import type { Actor, AuditRecord } from '#core';

/** Refusals that are entered together. */
interface Sum {
  readonly record: AuditRecord;
  count: number;
}

/** What refusals of all further unknown callers are counted under. */
const others = 'others';

/**
 * Decides which refused changes get entries of their own, so that whoever is refused can't fill the log: so
 * many of each caller in a minute. The others, and all of unknown callers, are counted by caller and rule.
 */
export class Refusals {
  readonly #most: number;
  readonly #sums = new Map<string, Sum>();
  readonly #entered = new Map<string, number>();
  readonly #addresses = new Set<string>();

  /** @param most entries of one known caller, and addresses of unknown ones, until `take` is called */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns whether a refusal gets an entry of its own; counts it if it does not. */
  isEntered(record: AuditRecord, now: Date): boolean {
    const { actor } = record;
    if (actor === undefined) {
      this.#count(this.#place(record.address), record, now);
      return false;
    }
    const caller = nameOf(actor);
    const entered = this.#entered.get(caller) ?? 0;
    if (entered >= this.#most) {
      this.#count(caller, record, now);
      return false;
    }
    this.#entered.set(caller, entered + 1);
    return true;
  }

  /**
   * Counts a refusal of a known caller who has as many entries of their own as they get; returns false if
   * this one is to be entered.
   */
  count(actor: Actor, refusal: Pick<AuditRecord, 'via' | 'status' | 'problem'>, now: Date): boolean {
    const caller = nameOf(actor);
    if ((this.#entered.get(caller) ?? 0) < this.#most) return false;
    this.#count(caller, { ...refusal, actor }, now);
    return true;
  }

  /** The entries of what was counted since this was called last. */
  take(): AuditRecord[] {
    const records = Array.from(this.#sums.values(), ({ record, count }) => ({ ...record, count }));
    this.#sums.clear();
    this.#entered.clear();
    this.#addresses.clear();
    return records;
  }

  #place(address: string | undefined): string {
    if (address === undefined) return others;
    if (!this.#addresses.has(address) && this.#addresses.size >= this.#most) return others;
    this.#addresses.add(address);
    return address;
  }

  #count(place: string, { via, actor, address, status, problem }: Partial<AuditRecord>, now: Date): void {
    const key = `${place} ${status} ${problem}`;
    const sum = this.#sums.get(key);
    if (sum !== undefined) return void (sum.count += 1);
    const record = {
      outcome: 'refused',
      ...(via && { via }),
      ...(actor && { actor }),
      ...(actor === undefined && place !== others && address !== undefined && { address }),
      ...(status !== undefined && { status }),
      ...(problem !== undefined && { problem }),
      since: now.toISOString(),
    } as const;
    this.#sums.set(key, { record, count: 1 });
  }
}

function nameOf({ kind, id }: Actor): string {
  return `${kind} ${id}`;
}
