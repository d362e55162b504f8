/** What a page of a list is requested by: what comes after this key, and how much of it at most. */
export interface PageRequest {
  readonly after?: string;
  readonly limit: number;
}

/**
 * Reads a list to its end, page by page. A page shorter than `limit` is the last one; none is empty.
 * @param list returns the entries after a key, at most `limit`, in ascending order of key
 * @param after the key to begin after; the beginning of the list if absent
 */
export async function* pagesOf<Entry>(
  list: (page: PageRequest) => Promise<readonly Entry[]>,
  keyOf: (entry: Entry) => string,
  limit: number,
  after?: string,
): AsyncGenerator<readonly Entry[]> {
  for (let key = after; ;) {
    const page = await list({ limit, ...(key !== undefined && { after: key }) });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < limit) return;
    key = keyOf(last);
  }
}
