import type { Io } from '../io.ts';
import { CommandError, exitCode } from '../command-error.ts';
import { causeOf, isTimeout } from '../cause.ts';
import { ProblemError, UnreachableError } from './service-error.ts';
import type { Problem } from './service-error.ts';

/** Where the service is and how long it may take. */
export interface ServiceOptions {
  readonly url?: string;
  /** Seconds that one answer may take. */
  readonly timeout: number;
}

/** The HTTP interface of a running Feedmesh. */
export class Service {
  /** Without a slash at its end. */
  readonly url: string;
  readonly #timeout: number;

  constructor({ url, timeout }: ServiceOptions, io: Io) {
    const base = url ?? io.environment['FEEDMESH_URL'] ?? 'http://127.0.0.1:8080';
    if (!/^https?:\/\//.test(base) || !URL.canParse(base)) throw new CommandError(`"${base}" is not an http or https URL (--url, FEEDMESH_URL)`, exitCode.usage);
    this.url = base.replace(/\/+$/, '');
    this.#timeout = timeout;
  }

  /**
   * Sends a request and answers the JSON of the answer.
   * @throws ProblemError where the service refuses, UnreachableError where none answers in time or what answers is no Feedmesh
   */
  async json<T>(path: string, request: { method?: string; body?: unknown; headers?: Record<string, string> } = {}): Promise<T> {
    const { method, body, headers } = request;
    const signal = AbortSignal.timeout(this.#timeout * 1000);
    const response = await this.open(path, {
      method,
      headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
    try {
      return (await response.json()) as T;
    } catch (error) {
      throw this.#unreachable(error);
    }
  }

  /** Every entry of a list, page after page, each asked for when it is needed. */
  async *list<T>(path: string): AsyncGenerator<T> {
    for await (const { items } of this.pages<{ readonly items: readonly T[]; readonly next?: string }>(path)) yield* items;
  }

  /** The pages of a list; `path` may have a query. */
  async *pages<Page extends { readonly next?: string }>(path: string): AsyncGenerator<Page> {
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? '' : `${path.includes('?') ? '&' : '?'}${new URLSearchParams({ cursor }).toString()}`;
      const page: Page = await this.json(path + query);
      yield page;
      cursor = page.next;
    } while (cursor !== undefined);
  }

  /** Sends a request and answers once the head of a good answer is there. Throws as `json` does. */
  async open(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(this.url + path, init).catch((error: unknown) => {
      throw this.#unreachable(error);
    });
    if (response.ok) return response;
    const type = response.headers.get('content-type') ?? '';
    const problem = /\bjson\b/.test(type) ? ((await response.json().catch(() => ({}))) as Problem) : {};
    await response.body?.cancel().catch(() => undefined);
    throw new ProblemError(response.status, problem);
  }

  #unreachable(error: unknown): UnreachableError {
    const reason = isTimeout(error) ? `no answer within ${this.#timeout} seconds (--timeout)` : causeOf(error);
    return new UnreachableError(`cannot use the service at ${this.url}: ${reason}`, { cause: error });
  }
}

/** The path of a collection, or of something in it. */
export function collectionPath(collection: string, ...segments: readonly string[]): string {
  return ['/v1/collections', ...[collection, ...segments].map(encodeURIComponent)].join('/');
}
