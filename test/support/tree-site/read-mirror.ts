import { createHash } from 'node:crypto';
import { elementsIn, readPlainElement } from '../../conformance/plain/plain-element.ts';
import type { PlainElement } from '../../conformance/plain/plain-element.ts';
import { request } from '../request.ts';
import type { ItemState, LinkState, TreeState } from './tree-state.ts';

const csx = 'http://schemas.microsoft.com/rss/2007/contentsyncextensions';

/** How many requests are in progress at the same time. */
const parallel = 16;

/** A published tree as it was read. */
interface PublishedTree {
  readonly state: TreeState;
  /**
   * The guids of items that are older than the nested feed that they link to: a reader would not look into
   * it. None if nothing is in progress.
   */
  readonly outdated: readonly string[];
}

/**
 * Reads a published tree over HTTP from its root: every feed, and every file that is not on demand. Throws
 * if a document is missing, a feed is not well-formed, or a channel is older than an item in it.
 * @param kept the digests of files that never change, by URL, for the next reading
 */
export async function readTree(url: string, kept: Map<string, string> = new Map()): Promise<PublishedTree> {
  return new MirrorReading(kept).read(url);
}

/** What a published tree holds. Throws as `readTree` does. */
export async function readMirror(url: string): Promise<TreeState> {
  return (await readTree(url)).state;
}

class MirrorReading {
  readonly #feeds = new Map<string, readonly ItemState[]>();
  readonly #digests = new Map<string, Promise<string>>();
  readonly #turns = new Turns(parallel);
  readonly #outdated: string[] = [];
  readonly #kept: Map<string, string>;

  constructor(kept: Map<string, string>) {
    this.#kept = kept;
  }

  async read(root: string): Promise<PublishedTree> {
    await this.#readFeed(root, 'root', Infinity);
    return { state: Object.fromEntries(this.#feeds), outdated: this.#outdated };
  }

  /** @param stated what the item that links to it says its date is, in milliseconds */
  async #readFeed(url: string, name: string, stated: number): Promise<void> {
    // In its place before it is read: a feed that nests itself is read once.
    this.#feeds.set(name, []);
    const text = await this.#turns.take(async () => (await answerOf(url)).text());
    const channel = childNamed(readPlainElement(text), '', 'channel');
    const built = dateIn(channel, '', 'lastBuildDate');
    if (stated < built) this.#outdated.push(name);
    const items = elementsIn(channel).filter(({ name }) => name === 'item');
    this.#feeds.set(name, await Promise.all(items.map((item) => this.#readItem(item, url, built))));
  }

  async #readItem(item: PlainElement, feedUrl: string, built: number): Promise<ItemState> {
    const guid = textOf(childNamed(item, '', 'guid'));
    const title = elementsIn(item).find(({ namespace, name }) => namespace === '' && name === 'title');
    const date = dateIn(item, csx, 'lastBuildDate');
    if (date > built) throw new Error(`${feedUrl} is older than its item ${guid}.`);
    const links = descendantsOf(item).filter(({ namespace, name }) => namespace === csx && name === 'link');
    const states = links.map((link) => this.#readLink(link, new URL(textOf(link), feedUrl).href, guid, date));
    return {
      guid,
      title: title === undefined ? '' : textOf(title),
      hidden: item.attributes[`{${csx}}hiddenItem`] === 'true',
      links: await Promise.all(states),
    };
  }

  async #readLink(link: PlainElement, url: string, guid: string, date: number): Promise<LinkState> {
    if (link.attributes['onDemand'] === 'true') return 'on demand';
    if (link.attributes['nestedFeed'] !== 'true') return { file: await this.#digestOf(url) };
    if (!this.#feeds.has(guid)) await this.#readFeed(url, guid, date);
    return { feed: guid };
  }

  /** Each URL is requested once. */
  async #digestOf(url: string): Promise<string> {
    const digest =
      this.#kept.get(url) ?? this.#digests.get(url) ?? this.#turns.take(() => this.#readFile(url));
    if (typeof digest !== 'string') this.#digests.set(url, digest);
    return digest;
  }

  async #readFile(url: string): Promise<string> {
    const response = await answerOf(url);
    const digest = createHash('sha256')
      .update(new Uint8Array(await response.arrayBuffer()))
      .digest('hex');
    if (response.headers.get('cache-control')?.includes('immutable')) this.#kept.set(url, digest);
    return digest;
  }
}

/** Lets so many run at the same time. */
class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

async function answerOf(url: string): Promise<Response> {
  const response = await request(url);
  if (response.status !== 200)
    throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
  return response;
}

function childNamed(element: PlainElement, namespace: string, name: string): PlainElement {
  const child = elementsIn(element).find((child) => child.namespace === namespace && child.name === name);
  if (child === undefined) throw new Error(`There is no ${name} in ${element.name}.`);
  return child;
}

/** In milliseconds; 0 for an element that has none, as the channel of a feed before its first item. */
function dateIn(element: PlainElement, namespace: string, name: string): number {
  const child = elementsIn(element).find((child) => child.namespace === namespace && child.name === name);
  if (child === undefined) return 0;
  const text = textOf(child);
  if (new Date(text).toUTCString() !== text) throw new Error(`"${text}" is no date of RFC 822 in GMT.`);
  return Date.parse(text);
}

function descendantsOf(element: PlainElement): PlainElement[] {
  return elementsIn(element).flatMap((child) => [child, ...descendantsOf(child)]);
}

function textOf({ children }: PlainElement): string {
  return children
    .filter((child) => typeof child === 'string')
    .join('')
    .trim();
}
