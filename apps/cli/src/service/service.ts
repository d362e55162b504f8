import { explainFeedUrl, pathSegment, problem } from '#contracts';
import type { Io } from '../io.ts';
import { CommandError, exitCode } from '../command-error.ts';
import { causeOf, isTimeout } from '../cause.ts';
import { ServiceProblemError, UnreachableError } from './service-error.ts';

/** Where the service is and how long it may take. */
export interface ServiceOptions {
  readonly url?: string;
  /** Seconds that one answer may take. */
  readonly timeout: number;
}

export interface ServiceRequest {
  readonly method?: string;
  /** Sent as JSON, unless `type` is given. */
  readonly body?: unknown;
  /** The media type of a body that is not JSON, but bytes. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response of the service. */
export interface Reply<T> {
  readonly status: number;
  readonly body: T;
}

/** A problem that something else than Feedmesh may have sent. */
const anyProblem = problem.partial();

/** The HTTP interface of a running Feedmesh. */
export class Service {
  /** Without a slash at its end. */
  readonly url: string;
  readonly #timeout: number;
  readonly #key: string | undefined;

  constructor({ url, timeout }: ServiceOptions, io: Io) {
    const base = url ?? io.environment['FEEDMESH_URL'] ?? 'http://127.0.0.1:8080';
    const fault = explainFeedUrl(base);
    if (fault !== undefined)
      throw new CommandError(`the URL of the service (--url, FEEDMESH_URL): ${fault}`, exitCode.usage);
    this.url = base.replace(/(?<!\/)\/+$/, '');
    this.#timeout = timeout;
    this.#key = io.environment['FEEDMESH_KEY'] || io.environment['AUTH_ADMIN_KEY'] || undefined;
  }

  /** Sends a request and returns the JSON of the response. Throws as `reply` does. */
  async json<T>(path: string, request: ServiceRequest = {}): Promise<T> {
    return (await this.reply<T>(path, request)).body;
  }

  /**
   * Sends a request and returns the status and the JSON of the response.
   * @throws ServiceProblemError if the service refuses, UnreachableError if none responds in time or what
   *   responds is no Feedmesh
   */
  async reply<T>(path: string, request: ServiceRequest = {}): Promise<Reply<T>> {
    const response = await this.#send(path, 'application/json', request);
    try {
      return { status: response.status, body: (await response.json()) as T };
    } catch (error) {
      throw this.#unreachable(error);
    }
  }

  /** Sends a request whose response has no body. Throws as `reply` does. */
  async send(path: string, request: ServiceRequest): Promise<void> {
    const response = await this.#send(path, 'application/json', request);
    await response.body?.cancel();
  }

  /** Reads a document of a media type. Throws as `reply` does, also while its text is read. */
  async *text(path: string, type: string): AsyncGenerator<string> {
    const response = await this.#send(path, type, {});
    const decoder = new TextDecoder();
    try {
      for await (const bytes of response.body ?? [])
        yield decoder.decode(bytes as Uint8Array, { stream: true });
    } catch (error) {
      throw this.#unreachable(error);
    }
    yield decoder.decode();
  }

  /** Every entry of a list, page after page, each requested when it is needed. */
  async *list<T>(path: string): AsyncGenerator<T> {
    for await (const { items } of this.pages<{ readonly items: readonly T[]; readonly next?: string }>(path))
      yield* items;
  }

  /** The pages of a list; `path` may have a query. */
  async *pages<Page extends { readonly next?: string }>(path: string): AsyncGenerator<Page> {
    let cursor: string | undefined;
    do {
      const query =
        cursor === undefined
          ? ''
          : `${path.includes('?') ? '&' : '?'}${new URLSearchParams({ cursor }).toString()}`;
      const page: Page = await this.json(path + query);
      yield page;
      cursor = page.next;
    } while (cursor !== undefined);
  }

  /** Sends a request and returns once the head of a good answer is there. Throws as `reply` does. */
  async open(path: string, init: RequestInit): Promise<Response> {
    const headers = {
      ...(this.#key !== undefined && { authorization: `Bearer ${this.#key}` }),
      ...(init.headers as Record<string, string> | undefined),
    };
    const response = await fetch(this.url + path, { ...init, headers }).catch((error: unknown) => {
      throw this.#unreachable(error);
    });
    if (response.ok) return response;
    const type = response.headers.get('content-type') ?? '';
    const body: unknown = /\bjson\b/.test(type) ? await response.json().catch(() => ({})) : {};
    await response.body?.cancel().catch(() => undefined);
    const { data = {} } = anyProblem.safeParse(body);
    throw new ServiceProblemError(response.status, data, response.headers.get('retry-after') ?? undefined);
  }

  /** A signal that aborts once nothing has come for as long as one response may take. */
  stepTimeout(): { readonly signal: AbortSignal; renew(): void; end(): void } {
    const controller = new AbortController();
    const giveUp = (): void =>
      controller.abort(new DOMException('nothing came for too long', 'TimeoutError'));
    const timer = setTimeout(giveUp, this.#timeout * 1000);
    return {
      signal: controller.signal,
      renew: () => void timer.refresh(),
      end: () => clearTimeout(timer),
    };
  }

  /** What a response that could not be read to its end failed with; the service's own errors as they are. */
  failure(error: unknown): Error {
    return error instanceof CommandError ? error : this.#unreachable(error);
  }

  async #send(
    path: string,
    accept: string,
    { method, body, type, headers }: ServiceRequest,
  ): Promise<Response> {
    return this.open(path, {
      ...(method !== undefined && { method }),
      headers: {
        accept,
        ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: type === undefined ? JSON.stringify(body) : (body as Uint8Array<ArrayBuffer>),
      }),
      signal: AbortSignal.timeout(this.#timeout * 1000),
    });
  }

  #unreachable(error: unknown): UnreachableError {
    const reason = isTimeout(error)
      ? `no answer within ${this.#timeout} seconds (--timeout)`
      : causeOf(error);
    return new UnreachableError(`cannot use the service at ${this.url}: ${reason}`, { cause: error });
  }
}

/** The path of a collection, or of something in it. */
export function collectionPath(collection: string, ...segments: readonly string[]): string {
  return ['/v1/collections', ...[collection, ...segments].map(pathSegment)].join('/');
}

/** The headers of a merge patch (RFC 7396), and of a revision that it is for, if there is one. */
export function patchHeaders(revision?: number): Readonly<Record<string, string>> {
  return { 'content-type': 'application/merge-patch+json', ...ifMatchHeader(revision) };
}

/** The header that makes an edit for one revision of an item, if there is one. */
export function ifMatchHeader(revision: number | undefined): Readonly<Record<string, string>> {
  return revision === undefined ? {} : { 'if-match': `"${revision}"` };
}
