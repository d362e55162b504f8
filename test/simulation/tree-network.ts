import { FetchError } from '#core';
import type { FetchRequest, FetchResponse, HttpFetch } from '#core';
import type { Dice } from './dice.ts';
import type { Weather } from './surroundings.ts';

/** What a host has at an address. */
export interface TreeAnswer {
  readonly etag: string;
  readonly type: string;
  /** Written while it is read. */
  readonly body: AsyncIterable<string | Uint8Array>;
}

/** Responds for one host; undefined if there is nothing. */
type HostHandler = (url: string) => Promise<TreeAnswer | undefined>;

/**
 * The network between a source, its mirrors and their readers: slow, and in bad weather broken now and then.
 */
export class TreeNetwork implements HttpFetch {
  readonly #hosts = new Map<string, HostHandler>();

  constructor(
    private readonly dice: Dice,
    private readonly weather: Weather,
    private readonly pause: () => Promise<void>,
  ) {}

  serve(host: string, handler: HostHandler): void {
    this.#hosts.set(host, handler);
  }

  async get(request: FetchRequest): Promise<FetchResponse> {
    const { url } = request;
    await this.pause();
    this.#mayBreak(url);
    const answer = await this.find(url);
    if (answer === undefined)
      throw new FetchError('http-status', `${url}: the server responded with 404`, { status: 404 });
    const { etag, type, body } = answer;
    if (etag === request.etag) return { status: 'not-modified', url, freshness: {} };
    return { status: 'ok', url, etag, contentType: type, freshness: {}, body: this.#slowly(url, body) };
  }

  /** What is at an address, without any fault. */
  async find(url: string): Promise<TreeAnswer | undefined> {
    return this.#hosts.get(new URL(url).host)?.(url);
  }

  async *#slowly(url: string, body: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      this.#mayBreak(url);
      yield Buffer.from(piece);
      await this.pause();
    }
  }

  #mayBreak(url: string): void {
    if (this.weather.die > 0 && this.dice.fraction() < 0.02)
      throw new FetchError('connection', `${url}: the network is down`);
  }
}

/** All bytes of a body as text. */
export async function textOf(
  body: AsyncIterable<string | Uint8Array>,
  pause: () => Promise<void> = async () => {},
): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) {
    pieces.push(Buffer.from(piece));
    await pause();
  }
  return Buffer.concat(pieces).toString();
}
