/** What an input is sent with. */
export interface World {
  /** Sends a request to the gateway, reads its response to the end, and returns the status. */
  request(method: string, path: string, options?: RequestOptions): Promise<number>;
  /** Serves a document, subscribes a new collection to it, and waits until it is fetched and published. */
  fetched(settings: object, document: ServedDocument, more?: FetchedMore): Promise<string>;
  /** Serves another document in place of the one of a collection, and waits until that is fetched. */
  refetched(path: string, document: ServedDocument): Promise<void>;
  /** Waits for a request with a body to the server of the documents; returns the body. */
  posted(path: string): Promise<string>;
  /** Creates a collection; returns its path, such as `/v1/collections/c1`. */
  collection(settings: object): Promise<string>;
}

export interface RequestOptions {
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What else a subscription has. */
export interface FetchedMore {
  /** Settings of the subscription. */
  readonly subscription?: object;
  /** More documents of the same server, by path: `/robots.txt`. They stay there. */
  readonly others?: Readonly<Record<string, ServedDocument>>;
}

/** A document as a server on this machine sends it. */
export interface ServedDocument {
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The largest input that a limit permits, in one shape. */
export interface LargeInput {
  /** The limit, and the shape: `FEED_ITEM_LENGTH: histories`. */
  readonly name: string;
  readonly send: (world: World) => Promise<unknown>;
}
