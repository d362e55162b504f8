import { readdirSync, readFileSync } from 'node:fs';
import { feedsyncProtocol, readItem } from '#feedsync';
import { mendFeed, PlainItems, readFeed } from '#plain-feeds';
import { fieldsOfPayload, FeedError, formatNamespace, readContent } from '#xml';
import type { Payload } from '#xml';
import { adoptedParts } from '../../apps/fetcher/src/plain-work/plain-work.ts';

/** What stands for one item of a feed. */
export interface PlainItem {
  readonly id: string;
  readonly link: string;
  readonly title: string;
}

/** A feed as it is found on the web, and what readers see in it. */
export interface Shape {
  readonly name: string;
  readonly what: string;
  readonly items: readonly PlainItem[];
  readonly feed: string;
}

const folder = new URL('shapes/', import.meta.url);

/** The shapes: one text file each, with a line for each item (id, link, title) before the feed. */
export function shapes(): readonly Shape[] {
  return readdirSync(folder)
    .toSorted()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8');
      const end = text.indexOf('\n\n');
      const [what = '', ...lines] = text.slice(0, end).split('\n');
      const items = lines.map((line) => {
        const [id = '', link = '', title = ''] = line.split('|').map((part) => part.trim());
        return { id, link, title };
      });
      return { name: file.replace('.txt', ''), what: what.slice(2), items, feed: text.slice(end + 2) };
    });
}

/** An item of a feed as it is adopted. */
export interface AdoptedItem extends PlainItem {
  /** The id that it has here, and what stands for what it says. */
  readonly adoptedId: string;
  readonly mark: string;
}

/** What reading a feed comes to. */
export interface Reading {
  readonly items: readonly AdoptedItem[];
  /** The rules that its warnings name. */
  readonly rules: readonly string[];
}

const url = 'https://feeds.example/feed';

/** Reads a feed as a fetcher does that adopts it. */
export async function readPlainFeed(feed: string | Uint8Array, contentType?: string): Promise<Reading> {
  const { adoption } = feedsyncProtocol;
  if (adoption === undefined) throw new Error('FeedSync adopts nothing');
  const limit = 16_777_216;
  const plain = new PlainItems({ adoption, endpoint: adoption.endpointOf(url), always: false, limit });
  const bytes = typeof feed === 'string' ? new TextEncoder().encode(feed) : feed;
  const body = (async function* pieces() {
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
  })();
  const tolerance = plain.tolerance({
    synchronisation: feedsyncProtocol.dialect.namespaces,
    itemLength: 4_194_304,
    mend: async (...broken) => mendFeed(...broken),
  });
  const { head } = await readFeed(
    { body, url, ...(contentType !== undefined && { contentType }) },
    { dialect: feedsyncProtocol.dialect, tolerance },
    async (fragments) => void plain.take(fragments),
  );
  const endpoint = adoption.endpointOf(url);
  const held = plain.end(head).items;
  const parts = [...adoptedParts({ protocol: 'feedsync', endpoint, head, items: held, shares: false })];
  const inDocument = parts
    .flatMap(({ items: adopted }) => adopted)
    .toSorted((one, other) => one.line - other.line || one.column - other.column);
  const items = inDocument.map((fragment) => {
    const read = readItem(fragment);
    if (read.kind !== 'item')
      throw new FeedError({ rule: 'item', section: '', message: fragment.xml, line: 1, column: 1 });
    const { data, sync } = read.item;
    const [entry] = sync.history;
    return {
      ...plainItem(data),
      adoptedId: sync.id,
      mark: entry?.foreign?.attributes.map(({ value }) => value).join(' ') ?? '',
    };
  });
  return { items, rules: head.violations.map(({ rule }) => rule) };
}

function plainItem(payload: Payload): PlainItem {
  const { format, children } = payload;
  const idName = format === 'atom' ? 'id' : 'guid';
  const id = children.find(({ namespace, name }) => name === idName && namespace === formatNamespace(format));
  const { title = '', link } = fieldsOfPayload(payload);
  const href = /<link[^>]*?rel=["']alternate["'][^>]*?>/.exec(children.map(({ xml }) => xml).join('\n'))?.[0];
  return {
    id: id === undefined ? '' : readContent(id.xml).text.trim(),
    link: (link ?? /href=["']([^"']*)/.exec(href ?? '')?.[1] ?? '').trim(),
    title: title.replace(/\s+/g, ' ').trim(),
  };
}
