/** Hears of each wait for a server. */
export interface ServerWaits {
  /**
   * Takes that a wait begins; returns what to call when it has ended.
   * @param end breaks the request off with an error
   */
  begin(end: (reason: FetchError) => void): () => void;
}

/** A conditional GET. */
export interface FetchRequest {
  readonly url: string;
  readonly etag?: string;
  readonly lastModified?: string;
  /**
   * Header fields that carry credentials, by name in lower case; for the origin of the URL alone: a redirect
   * to another one drops them.
   */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Sent to any origin in place of what the client says of itself, without the number of subscribers. */
  readonly userAgent?: string;
  /** Sent to any origin. */
  readonly acceptLanguage?: string;
  /** How many subscribers the feed has here, which is announced to its publisher. */
  readonly subscribers?: number;
  /**
   * Gives back a slot of the URL's host that was taken for this request; called when its first response has
   * ended.
   */
  readonly slot?: () => void;
  /** Absent if nobody wants to know. */
  readonly waits?: ServerWaits;
}

/** What a server answered. `url` is the address the answer came from, after redirects. */
export type FetchResponse =
  | {
      readonly status: 'not-modified';
      readonly url: string;
      readonly movedTo?: string;
      /** The header field `Link` (RFC 8288), several joined with commas. */
      readonly link?: string;
      readonly freshness: Freshness;
    }
  | {
      readonly status: 'ok';
      readonly url: string;
      /** Where permanent redirects (301, 308) led to before any other; absent if there was none. */
      readonly movedTo?: string;
      readonly etag?: string;
      readonly lastModified?: string;
      /** `Date`, as sent. */
      readonly date?: string;
      /** The media type with its parameters, as sent. */
      readonly contentType?: string;
      readonly link?: string;
      readonly freshness: Freshness;
      /**
       * The body without its content coding. Iterating throws `FetchError` if a limit is passed or the
       * connection breaks. Must be read to the end or returned from.
       */
      readonly body: AsyncIterable<Uint8Array>;
    };

/** Lets go of a body that was read to its end, or not at all because something else went wrong. */
export async function endBody(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

/** What a response says of the time to the next one. */
export interface Freshness {
  /** From `Cache-Control: max-age` or `Expires`, in seconds from now. */
  readonly seconds?: number;
}

/**
 * How long the message of a `FetchError` may be, in UTF-16 code units: it is kept, and servers can say what
 * is in it.
 */
const maximumMessageLength = 4000;

/** A fetch that came to nothing, and why. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  /**
   * Such as `http-status`, `unauthorized`, `forbidden`, `http-timeout`, `slow`, `address-refused`,
   * `body-too-large`, `compression-ratio`,
   * `redirects`, `connection`.
   */
  readonly rule: string;
  /** The HTTP status, if there was one. */
  readonly status?: number;
  /** From `Retry-After`, in seconds from now. */
  readonly retryAfter?: number;
  /** The host that it is about, as `hostOf`; after a redirect another than the one of the request. */
  readonly host?: string;
  constructor(
    rule: string,
    message: string,
    details: { status?: number; retryAfter?: number; host?: string; cause?: unknown } = {},
  ) {
    super(message.length > maximumMessageLength ? `${message.slice(0, maximumMessageLength)}…` : message, {
      cause: details.cause,
    });
    this.rule = rule;
    if (details.status !== undefined) this.status = details.status;
    if (details.retryAfter !== undefined) this.retryAfter = details.retryAfter;
    if (details.host !== undefined) this.host = details.host;
  }
}

/** The way out to the network. Throws `FetchError` for anything but a document or `304 Not Modified`. */
export interface HttpFetch {
  get(request: FetchRequest): Promise<FetchResponse>;
}

/** A POST of a form (`application/x-www-form-urlencoded`). */
export interface FormRequest {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly waits?: ServerWaits;
}

/** The same way out, for what is sent to hubs. */
export interface HttpPost {
  /**
   * Resolves once the server has accepted the form (2xx); 307 and 308 are followed with it. Throws
   * `FetchError` for anything else.
   */
  post(request: FormRequest): Promise<void>;
}
