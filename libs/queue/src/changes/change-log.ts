import { changes, collection, collectionPage } from '#contracts';
import type { ChangeEvent, CollectionView } from '#contracts';

/** Where the log of changes is read. */
export interface ChangeLogLocation {
  /** The gateway, such as `https://feedmesh.example`. */
  readonly url: string;
  /** A key that permits `read` for the collections; needed unless the gateway has `AUTH=none`. */
  readonly key?: string;
}

/** A collection as the gateway lists it. */
export interface ListedCollection {
  readonly name: string;
  /** The sequence of its last change. */
  readonly sequence: number;
  /** Differs if the collection was removed and created again, or is of another installation. */
  readonly createdAt: string;
  /** Every `source` that its events have had. */
  readonly sources: readonly string[];
}

/** The gateway does not have the changes after a cursor; the message says what it has. */
export class CursorGoneError extends Error {
  override readonly name = 'CursorGoneError';

  /** @param oldest the oldest sequence to read after; absent if the log is behind the cursor */
  constructor(
    message: string,
    readonly oldest?: number,
  ) {
    super(message);
  }
}

/** The gateway refuses the request, and would refuse it again. */
export class ChangeLogRefusedError extends Error {
  override readonly name = 'ChangeLogRefusedError';
}

function asListed(view: CollectionView): ListedCollection {
  const { name, cursor, createdAt, endpoint, retiredEndpoints = [] } = view;
  const sources = [endpoint, ...retiredEndpoints].map((each) => `urn:feedmesh:${each}`);
  return { name, sequence: Number(cursor), createdAt, sources };
}

/** Milliseconds that a response may take. */
const responseTimeout = 10_000;

/** Statuses of refusals that end without a change of the request. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/** The log of changes over HTTP. */
export class ChangeLog {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #signal: AbortSignal;

  /** @param signal ends every request */
  constructor({ url, key }: ChangeLogLocation, signal: AbortSignal) {
    this.#base = url.replace(/(?<!\/)\/+$/, '');
    this.#headers = {
      accept: 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    };
    this.#signal = signal;
  }

  /** Lists every collection that the key may read. Throws `ChangeLogRefusedError`. */
  async collections(): Promise<ListedCollection[]> {
    const listed: ListedCollection[] = [];
    for (let cursor: string | undefined; ;) {
      const query = new URLSearchParams({ counts: 'false', ...(cursor !== undefined && { cursor }) });
      const { items, next } = collectionPage.parse(await this.#get(`/v1/collections?${query.toString()}`));
      listed.push(...items.map(asListed));
      if (next === undefined) return listed;
      cursor = next;
    }
  }

  /** Returns one collection, undefined if there is none. Throws `ChangeLogRefusedError`. */
  async collection(name: string): Promise<ListedCollection | undefined> {
    const body = await this.#get(`/v1/collections/${name}`);
    return body === undefined ? undefined : asListed(collection.parse(body));
  }

  /**
   * Reads the changes after a cursor, or from the oldest one that is kept, in order and without a gap, as
   * many as the gateway returns at once. Returns undefined if there is no such collection. Throws
   * `CursorGoneError` and `ChangeLogRefusedError`.
   */
  async read(collection: string, cursor: string | undefined): Promise<readonly ChangeEvent[] | undefined> {
    const query = cursor === undefined ? '' : `?since=${cursor}`;
    const body = await this.#get(`/v1/collections/${collection}/changes${query}`);
    if (body === undefined) return undefined;
    changes.parse(body);
    // The events themselves, not what the schema keeps of them: a later version has more members.
    return (body as { readonly changes: readonly ChangeEvent[] }).changes;
  }

  /** Returns the JSON of a response, or undefined for 404. */
  async #get(path: string): Promise<unknown> {
    const response = await fetch(this.#base + path, {
      headers: this.#headers,
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(responseTimeout)]),
    });
    if (response.ok) return response.json();
    const { detail = '', oldestCursor } = (await response.json().catch(() => ({}))) as {
      readonly detail?: string;
      readonly oldestCursor?: string;
    };
    if (response.status === 404) return undefined;
    if (response.status === 410)
      throw new CursorGoneError(detail, oldestCursor === undefined ? undefined : Number(oldestCursor));
    const refusal = `GET ${this.#base}${path} returned ${response.status}: ${detail}`;
    if (response.status >= 500 || passing.has(response.status)) throw new Error(refusal);
    throw new ChangeLogRefusedError(`${refusal} Check the options \`url\` and \`key\`.`);
  }
}
