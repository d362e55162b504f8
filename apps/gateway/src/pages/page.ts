import { createHash } from 'node:crypto';
import type { Page } from '#contracts';
import { Slices } from '#core';
import type { GatewayConfiguration } from '#service';
import type { Response } from 'express';
import type { GatewayPorts } from '../gateway-ports.ts';
import { invalidInput } from '../problems/problem-error.ts';
import type { ProblemError } from '../problems/problem-error.ts';

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

/** How many entries one page searches, how many bytes of them, and how many entries in one step, at most. */
const [searchedEntries, searchedBytes, searchedStep] = [2000, 8_388_608, 250];

/** What reading a page needs of the gateway. */
interface PagePorts {
  readonly reads: Pick<GatewayPorts['reads'], 'run'>;
  readonly configuration: Pick<GatewayConfiguration, 'GATEWAY_PAGE_ITEMS' | 'GATEWAY_PAGE_BYTES'>;
}

/** Loads what comes after a key, at most `limit` entries. */
export type Load<Entry> = (page: { after?: string; limit: number }) => Promise<Entry[]>;

/** A list that is one of several at its address. */
interface ListQuery<Entry> {
  /** What tells it from the others: their cursors are refused. */
  readonly query?: string;
  /**
   * Whether an entry is in the list; by default all are. A page that has searched as much as one request may
   * ends with fewer entries.
   */
  readonly matches?: (entry: Entry) => boolean;
}

/**
 * Reads one page of a list that is ordered by a key. It ends at the limit of the query, or once its entries
 * are too many bytes.
 * @param bytesOf how large an entry is, in bytes of JSON
 * @throws ProblemError 400 for a limit or a cursor that can't be
 */
export async function readPage<Entry>(
  { limit: wanted, cursor }: { readonly limit?: string | undefined; readonly cursor?: string | undefined },
  { configuration: { GATEWAY_PAGE_ITEMS: pageItems, GATEWAY_PAGE_BYTES: pageBytes }, reads }: PagePorts,
  load: Load<Entry>,
  keyOf: (entry: Entry) => string,
  bytesOf: (entry: Entry) => number = jsonBytes,
  { query, matches }: ListQuery<Entry> = {},
): Promise<Page<Entry>> {
  const limit = readLimit(wanted, pageItems);
  let key = cursor === undefined ? undefined : readKey(cursor, query);
  const items: Entry[] = [];
  const page = (isLast: boolean): Page<Entry> => ({
    items,
    ...(!isLast && key !== undefined && { next: cursorOf(key, query) }),
  });
  const slices = new Slices();
  const read = { entries: 0, bytes: 0 };
  for (let [step, bytes] = [firstStep, 0]; ;) {
    const atMost = Math.min(step, matches ? searchedStep : limit + 1 - items.length);
    const loaded = await reads.run(() => load({ ...(key !== undefined && { after: key }), limit: atMost }));
    for (const entry of loaded) {
      const size = bytesOf(entry);
      if (matches === undefined || matches(entry)) {
        bytes += size;
        if (items.length === limit || (items.length > 0 && bytes > pageBytes)) return page(false);
        items.push(entry);
      }
      key = keyOf(entry);
      read.entries += 1;
      read.bytes += size;
      if (matches && slices.isOver) await slices.rest();
    }
    if (loaded.length < atMost) return page(true);
    if (matches && (read.entries >= searchedEntries || read.bytes >= searchedBytes)) return page(false);
    // Of those that come next, not many more than fit: they may be large.
    const room = matches ? pageBytes : pageBytes - bytes;
    step = Math.min(Math.ceil((room * read.entries) / read.bytes) + 1, read.entries * growth);
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

/** A cursor names its query by a digest, if the list has several. */
export function cursorOf(key: string, query?: string): string {
  const text = Buffer.from(key).toString('base64url');
  return query === undefined ? text : `${digestOf(query)}.${text}`;
}

function readKey(cursor: string, query: string | undefined): string {
  const [digest, text] = cursor.includes('.') ? cursor.split('.', 2) : [undefined, cursor];
  const key = Buffer.from(text ?? '', 'base64url').toString();
  if (key === '' || Buffer.from(key).toString('base64url') !== text)
    throw invalidCursor('not a cursor that this list has given');
  if (digest !== (query === undefined ? undefined : digestOf(query)))
    throw invalidCursor(
      'a cursor of another query: send it to the same address with the same parameters as the page before',
    );
  return key;
}

function digestOf(query: string): string {
  return createHash('sha256').update(query).digest('base64url').slice(0, 8);
}

/** A `ProblemError` 400 about a cursor. */
export function invalidCursor(message: string): ProblemError {
  return invalidInput([{ path: 'query.cursor', message }]);
}
