import { limitedGrowth, nameOf, TenantLimitError, tenantOf } from '#core';
import type { ContentStore, ItemId, ItemStore, Store, TenantLimit } from '#core';
import { StoredLimits } from './stored-limits.ts';
import type { LimitPorts } from './stored-limits.ts';

/** After how many bytes a file that is being written is held against the limits again. */
const checkedBytes = 1_048_576;

/**
 * The same store, which refuses to write what a tenant may not have: `compareAndSet` and `contents.write`
 * throw `TenantLimitError`, with nothing written. Collections of no tenant are not looked at. Ports are plain
 * objects of bound methods.
 */
export function limitedStore<Limited extends Pick<Store, 'items' | 'contents' | 'tenants'>>(
  store: Limited,
  ports: Omit<LimitPorts, 'store'>,
): Limited {
  const limits = new StoredLimits({ store, ...ports });
  return {
    ...store,
    items: limitedItems(store.items, limits),
    contents: limitedContents(store.contents, limits),
  };
}

function limitedItems(items: ItemStore, limits: StoredLimits): ItemStore {
  const limited: Pick<ItemStore, 'load' | 'compareAndSet'> = {
    load(collection, ids) {
      const tenant = tenantOf(nameOf(collection));
      // What is loaded is mostly written next.
      if (tenant !== undefined) limits.prepare(tenant);
      return items.load(collection, ids);
    },
    async compareAndSet(writes) {
      const [first] = writes;
      const tenant = first && tenantOf(nameOf(first.item.collection));
      if (tenant === undefined) return items.compareAndSet(writes);
      const { exceeded, isNear } = await limits.admit(tenant, writes.map(limitedGrowth));
      const refused = writes.flatMap(({ item }, place): readonly (readonly [ItemId, TenantLimit])[] => {
        const limit = exceeded[place];
        return limit === undefined ? [] : [[item.id, limit]];
      });
      const [one] = refused;
      if (one !== undefined)
        throw new TenantLimitError(
          one[1],
          refused.map(([id]) => id),
        );
      const lost = await items.compareAndSet(writes);
      if (isNear) await limits.counted();
      return lost;
    },
  };
  return Object.assign(Object.create(items) as ItemStore, limited);
}

function limitedContents(contents: ContentStore, limits: StoredLimits): ContentStore {
  const limited: Pick<ContentStore, 'write'> = {
    async write(collection, body, details) {
      const tenant = tenantOf(nameOf(collection));
      if (tenant === undefined) return contents.write(collection, body, details);
      const reserved = { items: 0, bytes: 0, files: 0 };
      const take = async (growth: { readonly files: number; readonly bytes: number }): Promise<void> => {
        const { exceeded } = await limits.admit(tenant, [{ items: 0, ...growth }], true);
        const [limit] = exceeded;
        if (limit !== undefined) throw new TenantLimitError(limit);
        reserved.files += growth.files;
        reserved.bytes += growth.bytes;
      };
      const measured = async function* (): AsyncGenerator<Uint8Array> {
        let bytes = 0;
        for await (const piece of body) {
          bytes += piece.length;
          if (bytes >= checkedBytes) {
            await take({ files: 0, bytes });
            bytes = 0;
          }
          yield piece;
        }
        await take({ files: 0, bytes });
      };
      try {
        await take({ files: 1, bytes: 0 });
        const content = await contents.write(collection, measured(), details);
        await limits.counted();
        return content;
      } finally {
        limits.release(tenant, reserved);
      }
    },
  };
  return Object.assign(Object.create(contents) as ContentStore, limited);
}
