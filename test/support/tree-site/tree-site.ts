import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { posix } from 'node:path';
import { localServer } from '../../cli/local-server.ts';
import { answerFailure } from './site-failure.ts';
import type { SiteFailure } from './site-failure.ts';
import { TreeContent } from './tree-content.ts';
import type { TreeSize } from './tree-plan.ts';
import type { TreeState } from './tree-state.ts';

/**
 * A generated tree of feeds and files on two ports of 127.0.0.1, until `closeServers`. It counts what is
 * requested.
 */
export class TreeSite {
  readonly content: TreeContent;
  readonly #failures = new Map<string, SiteFailure>();
  /** By path, in the order in which they were requested first. */
  readonly #requests = new Map<string, number>();
  #feedHost = '';
  #fileHost = '';

  private constructor(size: TreeSize) {
    this.content = new TreeContent(size);
  }

  static async open(size: TreeSize): Promise<TreeSite> {
    const site = new TreeSite(size);
    const listener = (request: IncomingMessage, response: ServerResponse): void =>
      void site.#answer(request, response);
    site.#feedHost = (await localServer(listener)).url;
    site.#fileHost = (await localServer(listener)).url;
    return site;
  }

  /** The URL of the root. */
  get url(): string {
    return this.#feedHost + this.content.feedPath(0);
  }

  /** The URL of a document as a mirror knows it. */
  urlOf(path: string): string {
    return this.#hostOf(path) + path;
  }

  /** Gives the items with these numbers new titles, and their files new bodies. */
  change(...items: readonly number[]): void {
    this.content.change(items);
  }

  delete(...items: readonly number[]): void {
    this.content.delete(items);
  }

  state(): TreeState {
    return this.content.state();
  }

  /** From now on a path is answered like this, until it is mended. */
  fail(path: string, failure: SiteFailure): void {
    this.#failures.set(path, failure);
  }

  mend(path: string): void {
    this.#failures.delete(path);
  }

  resetCounts(): void {
    this.#requests.clear();
  }

  /** How often each path was requested since `resetCounts`. */
  get requests(): ReadonlyMap<string, number> {
    return this.#requests;
  }

  /** How many requests there were since `resetCounts`. */
  get counts(): { readonly feeds: number; readonly files: number } {
    const counts = { feeds: 0, files: 0 };
    for (const [path, count] of this.#requests) counts[path.endsWith('.xml') ? 'feeds' : 'files'] += count;
    return counts;
  }

  async #answer({ url: path = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#requests.set(path, (this.#requests.get(path) ?? 0) + 1);
    const body = this.content.body(path, (to, from) => this.#linkTo(to, from));
    const failure = body === undefined ? 404 : this.#failures.get(path);
    if (failure !== undefined) return answerFailure(failure, response, body ?? '');
    const lastModified = this.content.lastModified(path).toUTCString();
    const etag = hasEtag(path)
      ? `"${createHash('sha256')
          .update(body ?? '')
          .digest('hex')}"`
      : undefined;
    const validators = { 'last-modified': lastModified, ...(etag !== undefined && { etag }) };
    const isUnchanged =
      etag === undefined ? headers['if-modified-since'] === lastModified : headers['if-none-match'] === etag;
    const type = path.endsWith('.xml') ? 'application/rss+xml' : 'text/plain; charset=utf-8';
    if (isUnchanged) response.writeHead(304, validators).end();
    else response.writeHead(200, { ...validators, 'content-type': type }).end(body);
  }

  /**
   * Every second file is on the other host; on the own one every third link is relative to the feed, and
   * every third to the host.
   */
  #linkTo(path: string, from: string): string {
    const host = this.#hostOf(path);
    const form = numberIn(path) % 3;
    if (host !== this.#feedHost || form === 0) return host + path;
    return form === 1 ? posix.relative(posix.dirname(from), path) : path;
  }

  #hostOf(path: string): string {
    return path.endsWith('.txt') && numberIn(path) % 2 === 1 ? this.#fileHost : this.#feedHost;
  }
}

/** Every fourth document has a Last-Modified alone. */
function hasEtag(path: string): boolean {
  return numberIn(path) % 4 !== 3;
}

function numberIn(path: string): number {
  return Number(/(\d+)\.\w+$/.exec(path)?.[1] ?? 0);
}
