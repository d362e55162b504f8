import { payloadFromFields } from '#xml';
import { EditError } from '#core';
import { editItem } from '#items';
import { feedOfItem, treeItemId } from '#cse';
import type { ItemEdit, LinkInput } from '#items';
import { rootFeed } from '#core';
import type { ItemId, StoredItem } from '#core';
import type { Dice } from './dice.ts';
import { tree } from './tree-endpoint.ts';
import type { TreeEndpoint } from './tree-endpoint.ts';

type Ports = ReturnType<TreeEndpoint['ports']>;

const guids = Array.from({ length: 24 }, (_, index) => `i${index}`);
const feeds = [rootFeed, 'b', 'c', 'd', 'e'];

/** Who edits a tree of our own at random; several of them do so at the same time. */
export class TreeEditor {
  /** The last revision of each item that an editor has seen. */
  readonly acknowledged = new Map<string, StoredItem>();

  constructor(
    private readonly endpoint: TreeEndpoint,
    private readonly dice: Dice,
  ) {}

  /**
   * Begins one edit as a gateway, which may die on the way; one that does not fit the item's state is given
   * up.
   */
  edit(): void {
    this.endpoint.start(async (ports) => {
      try {
        await this.#edit(ports);
      } catch (error) {
        if (!(error instanceof EditError)) throw error;
      }
    });
  }

  async #edit(ports: Ports): Promise<void> {
    const { dice } = this;
    const collection = await this.endpoint.collection();
    const guid = dice.pick(guids);
    const [known] = [
      ...(
        await ports.store.items.load(
          tree,
          feeds.map((feed) => treeItemId(feed, guid)),
        )
      ).values(),
    ].filter(({ deleted }) => !deleted);
    const id = known?.id ?? treeItemId(dice.pick(feeds), guid);
    const stored = (await ports.store.items.load(tree, [id])).get(id);
    const edit = await this.#random(ports, id, guid, stored);
    const written = await editItem(ports, collection, id, edit);
    const former = this.acknowledged.get(id);
    if (former === undefined || former.revision < written.revision) this.acknowledged.set(id, written);
  }

  async #random(ports: Ports, id: ItemId, guid: string, stored: StoredItem | undefined): Promise<ItemEdit> {
    const { dice } = this;
    const isKept = stored?.branch?.nested !== undefined && dice.fraction() < 0.8;
    if (stored?.deleted === false && !isKept && dice.fraction() < 0.3) return { action: 'delete' };
    const payload = payloadFromFields('rss', { title: `${guid} ${dice.identifier().slice(0, 6)}` });
    if (stored?.deleted === false && (isKept || dice.fraction() < 0.3))
      return { action: 'update', tree: { hidden: dice.fraction() < 0.5 } };
    const feed = feedOfItem(id);
    await this.#make(ports, feed);
    const links = await this.#links(ports);
    if (stored === undefined) return { action: 'create', id, payload, tree: { feed, guid, links } };
    return { action: stored.deleted ? 'undelete' : 'update', payload, tree: { links } };
  }

  async #links(ports: Ports): Promise<LinkInput[]> {
    const { dice } = this;
    if (dice.fraction() < 0.35) {
      const feed = dice.pick(feeds);
      await this.#make(ports, feed);
      return [{ feed, onDemand: dice.fraction() < 0.1 }];
    }
    const links: LinkInput[] = [];
    for (let count = dice.below(3); count > 0; count -= 1) {
      const text = `file ${dice.below(20)}`;
      const { digest } = await ports.store.contents.write(tree, bytes(text), { at: ports.now() });
      links.push({ file: digest, name: `${text}.bin` });
    }
    return links;
  }

  async #make({ store, now }: Ports, feed: string): Promise<void> {
    if ((await store.feeds.load(tree, [feed])).has(feed)) return;
    await store.feeds.put({ collection: tree, id: feed, title: `feed ${feed}`, head: [], createdAt: now() });
  }
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
