import type { Response } from 'express';
import { z } from 'zod';
import { invalidInput } from '../problems/problem-error.ts';

/** What every list takes. */
export const pageParameters = {
  limit: z.string().regex(/^[1-9][0-9]{0,8}$/, 'a whole number from 1').optional().describe('How many at most; 100 by default.'),
  cursor: z.string().optional().describe('`next` of the page before.'),
};
export const pageQuery = z.strictObject(pageParameters);

/** One page of a list; `next` is the cursor of the page after, where there may be one. */
export interface Page<Entry> {
  readonly items: readonly Entry[];
  readonly next?: string;
}

const defaultLimit = 100;

/** The limit asked for. Throws `ProblemError` 400 where it is above `maximum`. */
export function readLimit(limit: string | undefined, maximum: number): number {
  const wanted = Number(limit ?? Math.min(defaultLimit, maximum));
  if (wanted > maximum) throw invalidInput([{ path: 'query.limit', message: `at most ${maximum} (setting GATEWAY_PAGE_ITEMS)` }]);
  return wanted;
}

/**
 * Reads one page of a list that is ordered by a key.
 * @param load answers what comes after a key, at most `limit`
 * @throws ProblemError 400 for a limit or a cursor that can't be
 */
export async function readPage<Entry>(
  query: { readonly limit?: string | undefined; readonly cursor?: string | undefined },
  maximum: number,
  load: (page: { after?: string; limit: number }) => Promise<Entry[]>,
  keyOf: (entry: Entry) => string,
): Promise<Page<Entry>> {
  const limit = readLimit(query.limit, maximum);
  const after = query.cursor === undefined ? undefined : readKey(query.cursor);
  const loaded = await load({ ...(after !== undefined && { after }), limit: limit + 1 });
  const items = loaded.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(loaded.length > limit && last !== undefined && { next: Buffer.from(keyOf(last)).toString('base64url') }) };
}

/** Says where the next page is (`Link: rel="next"`, RFC 8288), and answers the page with its entries as they are shown. */
export function showPage<Entry, View>(response: Response, publicUrl: string, page: Page<Entry>, view: (entry: Entry) => View): Page<View> {
  if (page.next !== undefined) {
    const url = new URL(response.req.originalUrl, publicUrl);
    url.searchParams.set('cursor', page.next);
    response.links({ next: `${publicUrl}${url.pathname}${url.search}` });
  }
  return { ...page, items: page.items.map(view) };
}

function readKey(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  if (key === '' || Buffer.from(key).toString('base64url') !== cursor) throw invalidInput([{ path: 'query.cursor', message: 'not a cursor that this list has given' }]);
  return key;
}
