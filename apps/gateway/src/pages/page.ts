import type { Page } from '#contracts';
import type { GatewayConfiguration } from '#service';
import type { Response } from 'express';
import type { GatewayPorts } from '../gateway-ports.ts';
import { invalidInput } from '../problems/problem-error.ts';

const defaultLimit = 100;

/** The limit requested. Throws `ProblemError` 400 if it is above `maximum`. */
export function readLimit(limit: string | undefined, maximum: number): number {
  const wanted = Number(limit ?? Math.min(defaultLimit, maximum));
  if (wanted > maximum)
    throw invalidInput([{ path: 'query.limit', message: `at most ${maximum} (setting GATEWAY_PAGE_ITEMS)` }]);
  return wanted;
}

/**
 * How many entries the first step of a page brings, and how many times as many the next one brings at most.
 */
const [firstStep, growth] = [4, 32];

/** What reading a page needs of the gateway. */
interface PagePorts {
  readonly reads: Pick<GatewayPorts['reads'], 'run'>;
  readonly configuration: Pick<GatewayConfiguration, 'GATEWAY_PAGE_ITEMS' | 'GATEWAY_PAGE_BYTES'>;
}

/** Loads what comes after a key, at most `limit` entries. */
type Load<Entry> = (page: { after?: string; limit: number }) => Promise<Entry[]>;

/**
 * Reads one page of a list that is ordered by a key. It ends at the limit of the query, or once its entries
 * are too many bytes.
 * @param bytesOf how large an entry is, in bytes of JSON
 * @throws ProblemError 400 for a limit or a cursor that can't be
 */
export async function readPage<Entry>(
  query: { readonly limit?: string | undefined; readonly cursor?: string | undefined },
  { configuration: { GATEWAY_PAGE_ITEMS: pageItems, GATEWAY_PAGE_BYTES: pageBytes }, reads }: PagePorts,
  load: Load<Entry>,
  keyOf: (entry: Entry) => string,
  bytesOf: (entry: Entry) => number = jsonBytes,
): Promise<Page<Entry>> {
  const limit = readLimit(query.limit, pageItems);
  const after = query.cursor === undefined ? undefined : readKey(query.cursor);
  const items: Entry[] = [];
  const page = (isLast: boolean): Page<Entry> => {
    const last = items.at(-1);
    return {
      items,
      ...(!isLast && last !== undefined && { next: cursorAfter(keyOf(last)) }),
    };
  };
  let bytes = 0;
  for (let [step, key] = [firstStep, after]; ;) {
    const wanted = Math.min(step, limit + 1 - items.length);
    const loaded = await reads.run(() => load({ ...(key !== undefined && { after: key }), limit: wanted }));
    for (const entry of loaded) {
      bytes += bytesOf(entry);
      if (items.length === limit || (items.length > 0 && bytes > pageBytes)) return page(false);
      items.push(entry);
    }
    const last = items.at(-1);
    if (loaded.length < wanted || last === undefined) return page(true);
    key = keyOf(last);
    // Of those that come next, not many more than fit: they may be large.
    step = Math.min(Math.ceil(((pageBytes - bytes) * items.length) / bytes) + 1, items.length * growth);
  }
}

/** The length of a value as JSON, in bytes. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/**
 * Says where the next page is (`Link: rel="next"`, RFC 8288), and returns the page with its entries as they
 * are shown.
 */
export function showPage<Entry, View>(
  response: Response,
  publicUrl: string,
  page: Page<Entry>,
  view: (entry: Entry) => View,
): Page<View> {
  if (page.next !== undefined) {
    const url = new URL(response.req.originalUrl, publicUrl);
    url.searchParams.set('cursor', page.next);
    response.links({ next: `${publicUrl}${url.pathname}${url.search}` });
  }
  return { ...page, items: page.items.map(view) };
}

/** The cursor of what comes after a key. */
export function cursorAfter(key: string): string {
  return Buffer.from(key).toString('base64url');
}

function readKey(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  if (key === '' || Buffer.from(key).toString('base64url') !== cursor)
    throw invalidInput([{ path: 'query.cursor', message: 'not a cursor that this list has given' }]);
  return key;
}
