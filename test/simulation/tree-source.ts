import { createHash } from 'node:crypto';
import type { Dice } from './dice.ts';
import type { TreeAnswer } from './tree-network.ts';
import { addressOf, fileText, host, nameOf, titleOf, writeSourceFeed } from './tree-source-feed.ts';
import type { SourceFeed, SourceItem } from './tree-source-feed.ts';
import type { WorldTime } from './tree-threads.ts';
import type { ItemMoment } from './tree-watch.ts';

const feedNames = ['b', 'c', 'd', 'e', 'f', 'g'] as const;

/**
 * An authoritative tree of feeds and files, which is changed at random and dates every change up to the root
 * as the specification says.
 */
export class TreeSource {
  readonly root = addressOf('root');
  readonly #feeds = new Map<string, SourceFeed>([['root', { date: 0, items: [] }]]);
  /** The version of each file that is there. */
  readonly #files = new Map<string, number>();
  /** The version that each file of an item had when the item's title said this. */
  readonly #history = new Map<string, ReadonlyMap<string, number>>();
  /** Addresses that do not respond for a while. */
  readonly #down = new Set<string>();
  #guids = 0;
  #names = 0;
  #last = 0;

  constructor(
    private readonly dice: Dice,
    private readonly time: WorldTime,
  ) {}

  get host(): string {
    return host;
  }

  /**
   * Whether an item ever was so, with its files as they were then or later: a file may change after its feed
   * was read.
   */
  readonly wasThere = ({ title, files }: ItemMoment): boolean => {
    const then = this.#history.get(title);
    if (then === undefined || then.size !== files.length) return false;
    const versions = new Map(files.map((text) => [text.split(' v')[0], Number(text.split(' v')[1])]));
    return [...then].every(([url, version]) => (versions.get(url) ?? 0) >= version);
  };

  /** Everything is available again. */
  repair(): void {
    this.#down.clear();
  }

  /** Makes one random change; what is changed is dated later than anything before. */
  change(): void {
    const { dice } = this;
    const items = [...this.#feeds.values()].flatMap((feed) => feed.items.map((item) => ({ feed, item })));
    const what = dice.fraction();
    if (what < 0.08) {
      const addresses = [...[...this.#feeds.keys()].map(addressOf), ...this.#files.keys()];
      if (this.#down.size > 2) this.#down.clear();
      else this.#down.add(dice.pick(addresses));
    } else if (what < 0.35 || items.length < 12) {
      this.#add();
    } else {
      const { feed, item } = dice.pick(items);
      if (what < 0.55) this.#touch(item, feed);
      else if (what < 0.75) this.#changeFile(item, feed);
      else if (what < 0.83) this.#move(item, feed);
      else if (what < 0.88 && item.nested === undefined) this.#relink(item, feed);
      else if (item.nested === undefined || dice.fraction() < 0.2) this.#remove(item, feed);
    }
    this.#forget();
  }

  /** What is at an address now. */
  async answer(url: string): Promise<TreeAnswer | undefined> {
    if (this.#down.has(url)) return undefined;
    const version = this.#files.get(url);
    const name = nameOf(url);
    const feed = this.#feeds.get(name);
    const [text, type] =
      version !== undefined
        ? [fileText(url, version), 'application/octet-stream']
        : feed !== undefined
          ? [writeSourceFeed(name, feed), 'application/rss+xml']
          : [undefined, ''];
    if (text === undefined) return undefined;
    const etag = `"${createHash('sha256').update(text).digest('hex')}"`;
    return { etag, type, body: halves(text) };
  }

  #add(): void {
    const { dice } = this;
    this.#guids += 1;
    const item: SourceItem = {
      guid: `i${this.#guids}`,
      isHidden: false,
      version: 0,
      date: 0,
      files: [],
      onDemand: [],
    };
    this.#link(item);
    const name = dice.pick([...this.#feeds.keys()]);
    const feed = this.#feeds.get(name);
    if (feed === undefined) return;
    feed.items.splice(dice.below(feed.items.length + 1), 0, item);
    this.#touch(item, feed);
  }

  /** Gives an item links: to a nested feed, new or not, or to files, new or shared. */
  #link(item: SourceItem): void {
    const { dice } = this;
    item.isHidden = dice.fraction() < 0.2;
    delete item.nested;
    if (dice.fraction() < 0.35) {
      const feed = dice.pick(feedNames);
      if (!this.#feeds.has(feed)) this.#feeds.set(feed, { date: 0, items: [] });
      item.nested = { feed, onDemand: dice.fraction() < 0.15 };
      item.files = [];
      item.onDemand = [];
    } else {
      item.files = Array.from({ length: dice.below(3) }, () => this.#file());
      item.onDemand = dice.fraction() < 0.15 ? [this.#file()] : [];
    }
  }

  #file(): string {
    const known = [...this.#files.keys()];
    if (known.length > 0 && this.dice.fraction() < 0.4) return this.dice.pick(known);
    this.#names += 1;
    const url = `http://${host}/files/${this.#names}.bin`;
    this.#files.set(url, 1);
    return url;
  }

  /** The files of an item change, and with them every item that links to one of them. */
  #changeFile(item: SourceItem, feed: SourceFeed): void {
    const [url] = [...item.files, ...item.onDemand];
    if (url === undefined) return this.#touch(item, feed);
    this.#files.set(url, (this.#files.get(url) ?? 0) + 1);
    const date = this.#nextDate();
    for (const one of this.#feeds.values())
      for (const other of one.items)
        if (other.files.includes(url) || other.onDemand.includes(url)) this.#touch(other, one, date);
  }

  #move(item: SourceItem, feed: SourceFeed): void {
    const to = this.#feeds.get(this.dice.pick([...this.#feeds.keys()]));
    if (to === undefined) return;
    const date = this.#nextDate();
    feed.items.splice(feed.items.indexOf(item), 1);
    this.#raise(feed, date);
    to.items.splice(this.dice.below(to.items.length + 1), 0, item);
    this.#touch(item, to, date);
  }

  #relink(item: SourceItem, feed: SourceFeed): void {
    this.#link(item);
    this.#touch(item, feed);
  }

  #remove(item: SourceItem, feed: SourceFeed): void {
    feed.items.splice(feed.items.indexOf(item), 1);
    this.#raise(feed, this.#nextDate());
  }

  /** What nothing links to any more is gone, like the feeds that nothing leads to. */
  #forget(): void {
    const reached = new Set(['root']);
    for (const name of reached)
      for (const { nested } of this.#feeds.get(name)?.items ?? [])
        if (nested !== undefined) reached.add(nested.feed);
    for (const name of this.#feeds.keys()) if (!reached.has(name)) this.#feeds.delete(name);
    const linked = new Set(
      [...this.#feeds.values()].flatMap(({ items }) =>
        items.flatMap(({ files, onDemand }) => [...files, ...onDemand]),
      ),
    );
    for (const url of this.#files.keys()) if (!linked.has(url)) this.#files.delete(url);
  }

  #touch(item: SourceItem, feed: SourceFeed, date = this.#nextDate()): void {
    item.version += 1;
    item.date = date;
    this.#history.set(titleOf(item), new Map(item.files.map((url) => [url, this.#files.get(url) ?? 0])));
    this.#raise(feed, date);
  }

  /** Carries a date up from a feed to the items that nest it, their feeds, and so on to the root. */
  #raise(feed: SourceFeed, date: number): void {
    const raised = new Set([feed]);
    for (const one of raised) {
      one.date = date;
      const [name] = [...this.#feeds].find(([, other]) => other === one) ?? [];
      for (const parent of this.#feeds.values()) {
        for (const item of parent.items) {
          if (item.nested?.feed !== name) continue;
          item.date = date;
          raised.add(parent);
        }
      }
    }
  }

  /** In whole seconds, later each time. */
  #nextDate(): number {
    this.#last = Math.max(Math.floor(this.time.now / 1000), this.#last + 1);
    return this.#last;
  }
}

async function* halves(text: string): AsyncGenerator<string> {
  const middle = Math.floor(text.length / 2);
  yield text.slice(0, middle);
  yield text.slice(middle);
}
