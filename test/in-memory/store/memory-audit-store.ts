import { auditIdAt, tenantOf } from '#core';
import type { AuditEntry, AuditFilter, AuditStore } from '#core';

/** The audit log in memory. */
export class MemoryAuditStore implements AuditStore {
  readonly #entries = new Map<string, AuditEntry>();

  async append(entries: readonly AuditEntry[]): Promise<void> {
    for (const entry of entries) {
      if (this.#entries.has(entry.id)) throw new Error(`There is an entry ${entry.id}.`);
      this.#entries.set(entry.id, structuredClone(entry));
    }
  }

  async list({
    after = '',
    limit,
    since,
    until,
    ...same
  }: AuditFilter & { readonly after?: string; readonly limit: number }): Promise<AuditEntry[]> {
    return this.#sorted()
      .filter(({ id }) => id > after)
      .filter(({ id }) => since === undefined || id >= auditIdAt(since))
      .filter(({ id }) => until === undefined || id < auditIdAt(until))
      .filter((entry) => isOf(entry, same))
      .slice(0, limit);
  }

  async heads(limit: number): Promise<AuditEntry[]> {
    const heads = new Map(this.#sorted().map((entry) => [entry.chain, entry]));
    return [...heads.values()].toSorted((one, other) => (one.id > other.id ? -1 : 1)).slice(0, limit);
  }

  async removeBefore(at: Date): Promise<void> {
    for (const id of this.#entries.keys()) if (id < auditIdAt(at)) this.#entries.delete(id);
  }

  #sorted(): AuditEntry[] {
    return [...this.#entries.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }
}

function isOf(
  entry: AuditEntry,
  { collection, tenant, actor, operation, outcome, request }: AuditFilter,
): boolean {
  return (
    (collection === undefined || entry.collection === collection) &&
    (tenant === undefined || tenantOf(entry.collection ?? '') === tenant) &&
    (actor === undefined || entry.actor?.id === actor) &&
    (operation === undefined || entry.operation === operation) &&
    (outcome === undefined || entry.outcome === outcome) &&
    (request === undefined || entry.request === request)
  );
}
