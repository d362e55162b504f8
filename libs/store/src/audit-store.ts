import type { mongo } from 'mongoose';
import { auditIdAt, tenantOf } from '#core';
import type { AuditEntry, AuditFilter, AuditStore } from '#core';
import { toAuditEntry } from './audit-document.ts';
import type { AuditDocument } from './audit-document.ts';
import { removeRange } from './remove-range.ts';

/** The audit log in MongoDB: one document an entry. */
export class MongoAuditStore implements AuditStore {
  readonly #entries: mongo.Collection<AuditDocument>;

  constructor(entries: mongo.Collection<AuditDocument>) {
    this.#entries = entries;
  }

  async append(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    // In order, so that whatever is stored of a chain has no gap.
    await this.#entries.insertMany(
      entries.map(({ id, ...entry }) => {
        const tenant = entry.collection === undefined ? undefined : tenantOf(entry.collection);
        return { _id: id, ...entry, ...(tenant !== undefined && { tenant }) };
      }),
      { ordered: true },
    );
  }

  async list({
    after,
    limit,
    since,
    until,
    actor,
    ...same
  }: AuditFilter & { readonly after?: string; readonly limit: number }): Promise<AuditEntry[]> {
    const from = since === undefined ? '' : auditIdAt(since);
    const found = await this.#entries
      .find({
        ...same,
        ...(actor !== undefined && { 'actor.id': actor }),
        _id: {
          ...(after !== undefined && after >= from ? { $gt: after } : { $gte: from }),
          ...(until !== undefined && { $lt: auditIdAt(until) }),
        },
      })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
    return found.map(toAuditEntry);
  }

  async heads(limit: number): Promise<AuditEntry[]> {
    const found = await this.#entries
      .aggregate<{ head: AuditDocument }>([
        { $sort: { chain: 1, sequence: -1 } },
        { $group: { _id: '$chain', head: { $first: '$$ROOT' } } },
        { $sort: { 'head._id': -1 } },
        { $limit: limit },
      ])
      .toArray();
    return found.map(({ head }) => toAuditEntry(head));
  }

  async removeBefore(at: Date): Promise<void> {
    await removeRange(this.#entries, { $gt: '', $lt: auditIdAt(at) });
  }
}
