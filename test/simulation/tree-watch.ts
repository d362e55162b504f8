import { createHash } from 'node:crypto';
import { expect } from '@jest/globals';
import { earliestDate, treeContent, targetAt } from '#cse';
import type { TreeContent, StoredItem } from '#core';
import { tree } from './tree-endpoint.ts';
import type { TreeEndpoint } from './tree-endpoint.ts';
import { textOf } from './tree-network.ts';
import { readFeedText, titleIn } from './tree-view.ts';
import type { ReadFeed, ReadItem } from './tree-view.ts';
import type { TreeWorld } from './tree-world.ts';

/** An item with the texts of the files that it refers to by itself, sorted. */
export interface ItemMoment {
  readonly title: string;
  readonly files: readonly string[];
}

/**
 * What the feeds above a feed announced, and what readers then found in it: whatever changes in it
 * later has a later date than announced, or they would not look into the feeds above again.
 */
interface Announced {
  readonly found: string;
  /** The latest date of a feed that links to it. */
  readonly announced: string;
}

/**
 * Holds what readers of an endpoint are shown, at any moment, against what its source has been and what they
 * were shown before.
 */
export class TreeWatch {
  /** Every item that the endpoint ever had. */
  readonly #had = new Set<string>();
  readonly #dates = new Map<string, string>();
  readonly #shown = new Map<string, Map<string, Set<string>>>();
  readonly #announced = new Map<string, Announced>();

  /** @param wasThere whether the source ever was so, or an endpoint that has it as its source may be */
  constructor(
    private readonly endpoint: TreeEndpoint,
    private readonly world: TreeWorld,
    private readonly wasThere: (moment: ItemMoment) => boolean,
  ) {
    const { items, feeds } = endpoint.store;
    const write = items.compareAndSet.bind(items);
    items.compareAndSet = async (writes) => {
      const raced = await write(writes);
      for (const { item } of writes)
        if (!item.deleted && !raced.includes(item.id))
          this.#had.add(JSON.stringify(await this.#momentOf(item)));
      return raced;
    };
    const raise = feeds.raise.bind(feeds);
    feeds.raise = async (...parameters) => {
      await raise(...parameters);
      // While a date is on its way up is when it may be seen too early.
      if (world.weather.interrupt > 0 && world.dice.fraction() < 0.1)
        await world.undisturbed(() => this.look());
    };
  }

  readonly had = (moment: ItemMoment): boolean => this.#had.has(JSON.stringify(moment));

  /** Looks at every feed that the root leads to. */
  async look(): Promise<void> {
    const reached = new Set([this.endpoint.root]);
    for (const url of reached) {
      const quiet = await this.#isQuiet();
      const answer = await this.world.network.find(url);
      if (answer === undefined) continue;
      const feed = readFeedText(url, await textOf(answer.body));
      this.#lookAtDates(url, feed, quiet && quiet === (await this.#isQuiet()) ? quiet : undefined);
      for (const item of feed.items) {
        await this.#lookAt(item);
        for (const { url: nested } of item.links.filter(
          ({ nestedFeed, onDemand }) => nestedFeed && !onDemand,
        )) {
          reached.add(nested);
          await this.#announce(nested, feed.lastBuildDate);
        }
      }
    }
  }

  /** The number of changes if all of them are published and followed; undefined otherwise. */
  async #isQuiet(): Promise<number | undefined> {
    const { store } = this.endpoint;
    if ((await store.items.pending(tree, 1)).length > 0) return undefined;
    const { sequence, relayed } = (await this.endpoint.collection()).publication;
    return relayed === sequence ? sequence : undefined;
  }

  #lookAtDates(url: string, { lastBuildDate, items }: ReadFeed, quiet: number | undefined): void {
    expect(items.filter((item) => item.lastBuildDate > lastBuildDate)).toEqual([]);
    if (lastBuildDate === earliestDate) return;
    expect((this.#dates.get(url) ?? '') <= lastBuildDate).toBe(true);
    this.#dates.set(url, lastBuildDate);
    const state = JSON.stringify(items.map(({ id, title, hidden, links }) => [id, title, hidden, links]));
    const dates = this.#shown.get(url) ?? new Map<string, Set<string>>();
    const states = dates.get(lastBuildDate) ?? new Set();
    // What is on its way already may be shown with the date before; what has come to rest has a date of its
    // own.
    if (quiet !== undefined)
      for (const other of states) expect([url, lastBuildDate, state]).toEqual([url, lastBuildDate, other]);
    this.#shown.set(url, dates.set(lastBuildDate, states.add(state)));
  }

  /** What is announced of a nested feed, and what is in it at that moment. */
  async #announce(url: string, announced: string): Promise<void> {
    const answer = await this.world.network.find(url);
    const found = answer ? readFeedText(url, await textOf(answer.body)).lastBuildDate : earliestDate;
    const former = this.#announced.get(url);
    if (former !== undefined && found > former.found && found <= former.announced)
      throw new Error(
        `${url} has changed to ${found}, after ${former.announced} was announced above it and ` +
          `readers found ${former.found}`,
      );
    this.#announced.set(url, {
      found,
      announced: former !== undefined && former.announced > announced ? former.announced : announced,
    });
  }

  /**
   * All files that an item refers to by itself are here, with the bytes that they had, or were to have later,
   * when the item was so.
   */
  async #lookAt({ title, links }: ReadItem): Promise<void> {
    const { url, store } = this.endpoint;
    const files: string[] = [];
    for (const link of links) {
      if (link.nestedFeed || link.onDemand) continue;
      const target = targetAt(link.url, url, tree);
      if (target === undefined || !('file' in target))
        throw new Error(`${title} at ${this.endpoint.label} leads to ${link.url}, which is no copy`);
      const text = await textOf(store.contents.read(tree, target.file));
      if (createHash('sha256').update(text).digest('hex') !== target.file)
        throw new Error(`${title} refers to ${target.file}, which is ${text}`);
      files.push(text);
    }
    const moment = { title, files: files.toSorted() };
    if (!this.wasThere(moment))
      throw new Error(`${this.endpoint.label} shows ${JSON.stringify(moment)}, which its source never was`);
  }

  async #momentOf({ content }: Pick<StoredItem, 'content'>): Promise<ItemMoment> {
    const { data, links }: TreeContent = treeContent(content);
    const isNested = links.some(({ nestedFeed }) => nestedFeed);
    const digests = new Set(
      links.flatMap(({ onDemand, target }) =>
        !isNested && !onDemand && target !== undefined && 'file' in target ? [target.file] : [],
      ),
    );
    const files = await Promise.all(
      [...digests].map((digest) => textOf(this.endpoint.store.contents.read(tree, digest))),
    );
    return { title: titleIn(data), files: files.toSorted() };
  }
}
