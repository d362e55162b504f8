import { reportedViolations } from '#core';
import type { BatchReport, CollectionKey, Manifest, ManifestSeal, ManifestStore } from '#core';
import type { Records } from './records.ts';

/** Manifests in memory. */
export class MemoryManifestStore implements ManifestStore {
  readonly #manifests: Records<Manifest>;

  constructor(manifests: Records<Manifest>) {
    this.#manifests = manifests;
  }

  async open(manifest: Manifest): Promise<void> {
    if (!this.#manifests.get(manifest.collection, manifest.id)) this.#manifests.set(manifest);
  }

  async seal(
    collection: CollectionKey,
    id: string,
    seal: ManifestSeal,
    now: Date,
  ): Promise<Manifest | undefined> {
    const manifest = this.#manifests.get(collection, id);
    if (manifest) this.#manifests.set({ ...manifest, seal, touchedAt: later(manifest.touchedAt, now) });
    return this.#manifests.get(collection, id);
  }

  async done(
    collection: CollectionKey,
    id: string,
    batch: number,
    { rejected, plain = 0, violations = [], exceeded }: BatchReport,
    now: Date,
  ): Promise<Manifest | undefined> {
    const manifest = this.#manifests.get(collection, id);
    if (manifest && !manifest.done.includes(batch)) {
      const done = [...manifest.done, batch];
      const known = [...(manifest.violations ?? []), ...violations].slice(0, reportedViolations);
      this.#manifests.set({
        ...manifest,
        done,
        rejected: manifest.rejected + rejected,
        ...(plain > 0 && { plain: (manifest.plain ?? 0) + plain }),
        touchedAt: later(manifest.touchedAt, now),
        ...(exceeded !== undefined && { exceeded }),
        ...(known.length > 0 && { violations: known }),
      });
    }
    return this.#manifests.get(collection, id);
  }

  async find(collection: CollectionKey, id: string): Promise<Manifest | undefined> {
    return this.#manifests.get(collection, id);
  }

  async touch(collection: CollectionKey, id: string, now: Date): Promise<void> {
    const manifest = this.#manifests.get(collection, id);
    if (manifest) this.#manifests.set({ ...manifest, touchedAt: later(manifest.touchedAt, now) });
  }

  async remove(collection: CollectionKey, id: string): Promise<void> {
    this.#manifests.delete(collection, id);
  }

  async unfinished(quietSince: Date, limit: number): Promise<Manifest[]> {
    return this.#manifests.select({
      where: ({ seal, done, touchedAt }) => seal?.batches === done.length || touchedAt < quietSince,
      order: ({ touchedAt }) => touchedAt.getTime(),
      limit,
    });
  }
}

function later(one: Date, other: Date): Date {
  return one < other ? other : one;
}
