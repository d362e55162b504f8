import { finish } from '#core';
import { defaultTreeLimits, TreeWalk } from '#cse';
import type { CachedDocument, Download, Failure, TreeLimits } from '#cse';
import { isFeed } from './literal-sync.ts';
import type { Document } from './literal-sync.ts';

/** What may go wrong during one synchronisation, and the order in which downloads arrive. */
export interface Weather {
  /** URLs that can't be downloaded. */
  readonly failing?: ReadonlySet<string>;
  /** After how many arrivals the process dies; never if absent. */
  readonly breakOff?: number;
  /** Which of those in progress arrives next, from 0 up to but not including 1. */
  readonly order?: readonly number[];
  readonly limits?: Partial<TreeLimits>;
}

/** What one synchronisation did. */
export interface Report {
  readonly asked: readonly Download[];
  readonly failures: readonly Failure[];
  readonly isDone: boolean;
}

/**
 * A cache that is kept in step by `TreeWalk`, as the shell around it would: every arrival is recorded at
 * once.
 */
export class Mirror {
  readonly documents = new Map<string, CachedDocument>();
  readonly contents = new Map<string, Document>();

  /** @param served what stands at a URL when it is requested */
  synchronise(
    root: string,
    served: (url: string) => Document | undefined,
    { failing, breakOff = Infinity, order = [], limits }: Weather = {},
  ): Report {
    const walk = new TreeWalk(root, new Map(this.documents), { ...defaultTreeLimits, ...limits });
    const asked: Download[] = [];
    let inFlight = finish(walk.next());
    asked.push(...inFlight);
    for (let arrivals = 0; inFlight.length > 0; arrivals += 1) {
      if (arrivals >= breakOff) return { asked, failures: [], isDone: false };
      const at = Math.floor((order[arrivals % order.length] ?? 0) * inFlight.length);
      this.#arrive(walk, inFlight[at]?.url ?? root, served, failing);
      const following = finish(walk.next());
      asked.push(...following);
      inFlight = [...inFlight.toSpliced(at, 1), ...following];
    }
    const { drop, failures } = walk.end();
    for (const url of drop) this.#forget(url);
    return { asked, failures, isDone: walk.isDone };
  }

  #arrive(
    walk: TreeWalk,
    url: string,
    served: (url: string) => Document | undefined,
    failing: ReadonlySet<string> | undefined,
  ): void {
    const document = failing?.has(url) === true ? undefined : served(url);
    if (document === undefined) {
      finish(walk.arrived(url, { kind: 'failed', rule: 'test-weather', reason: 'It is raining.' }));
      return;
    }
    const isSame = document === this.contents.get(url) && this.documents.has(url);
    const arrival = isFeed(document)
      ? { kind: 'feed' as const, feed: document, bytes: 1 }
      : { kind: 'file' as const, bytes: 1 };
    const held = finish(walk.arrived(url, isSame ? { kind: 'unchanged' } : arrival));
    if (held === undefined) return;
    this.documents.set(url, held);
    this.contents.set(url, document);
  }

  #forget(url: string): void {
    this.documents.delete(url);
    this.contents.delete(url);
  }
}
