import { finish } from '#core';
import { defaultTreeLimits, TreeWalk } from '#cse';
import type { Arrival, CachedDocument, Download } from '#cse';
import { FeedError } from '#xml';
import { readCseDocument } from './cse-document.ts';
import type { SyncOperation, SyncRound } from './cse-operation.ts';
import type { Publisher } from './publisher.ts';

/** A document in the cache, and the round that it is from. */
interface HeldDocument extends CachedDocument {
  readonly round: number;
}

const base = 'http://publisher.example/';

/** A cache of a tree that is brought in step with its publisher round by round. */
export class TreeCache {
  readonly #publisher: Publisher;
  readonly #limits: SyncOperation['limits'];
  readonly #held = new Map<string, HeldDocument>();

  constructor(publisher: Publisher, limits: SyncOperation['limits']) {
    this.#publisher = publisher;
    this.#limits = limits;
  }

  /**
   * Synchronises once. Returns by paths what was requested, what the cache then holds, and the rules of what
   * failed.
   */
  synchronise(
    round: number,
    { lost = [], interruptedAfter = Infinity }: SyncRound,
  ): Required<SyncRound['expected']> {
    for (const path of lost) this.#held.delete(base + path);
    const walk = new TreeWalk(`${base}feed.xml`, new Map(this.#held), {
      ...defaultTreeLimits,
      ...this.#limits,
    });
    const requested: string[] = [];
    for (
      let downloads = finish(walk.next());
      downloads.length > 0 && requested.length < interruptedAfter;
      downloads = finish(walk.next())
    ) {
      for (const download of downloads.slice(0, interruptedAfter - requested.length)) {
        requested.push(pathOf(download.url));
        this.#take(walk, download, round);
      }
    }
    const { drop, failures } = walk.end();
    for (const url of drop) this.#held.delete(url);
    return {
      requested: requested.toSorted(),
      holds: byPath([...this.#held].map(([url, document]) => [url, document.round])),
      failures: byPath(failures.map(({ url, rule }) => [url, rule])),
    };
  }

  #take(walk: TreeWalk, download: Download, round: number): void {
    const { url } = download;
    const published = this.#publisher.document(pathOf(url), round);
    const held = this.#held.get(url);
    const isUnchanged =
      published !== undefined &&
      published.round === held?.round &&
      (!download.isFeed || held.feed !== undefined);
    const document = finish(
      walk.arrived(url, isUnchanged ? { kind: 'unchanged' } : arrivalOf(download, published?.text)),
    );
    if (document !== undefined) this.#held.set(url, { ...document, round: published?.round ?? round });
  }
}

function arrivalOf({ url, isFeed }: Download, text: string | undefined): Arrival {
  if (text === undefined)
    return { kind: 'failed', rule: 'http-status', reason: 'The publisher answered with an error.' };
  const bytes = Buffer.byteLength(text);
  if (!isFeed) return { kind: 'file', bytes };
  try {
    return { kind: 'feed', feed: readCseDocument(text, url), bytes };
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { kind: 'failed', rule: error.violation.rule, reason: error.message };
  }
}

function pathOf(url: string): string {
  return url.slice(base.length);
}

function byPath<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries(
    entries.map(([url, value]) => [pathOf(url), value] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
