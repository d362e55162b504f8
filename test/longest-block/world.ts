import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '../bench/feedmesh/until.ts';
import type { FetchedMore, RequestOptions, ServedDocument, World } from './large-input.ts';

/** Not kept: some inputs have another one. */
const emptyRobots: ServedDocument = { body: '', headers: { 'cache-control': 'max-age=0' } };

/** A running installation, with a server of the documents that it fetches. */
export class InstallationWorld implements World {
  readonly #url: string;
  readonly #server: Server;
  readonly #documents = new Map<string, ServedDocument>([['/robots.txt', emptyRobots]]);
  /** The last body that came for each path. */
  readonly #posted = new Map<string, string>();
  readonly #settled: (collection: string, after: Date) => Promise<boolean>;
  #collections = 0;

  /** @param settled whether nothing more comes of what was sent to a collection after some time */
  private constructor(
    url: string,
    server: Server,
    settled: (collection: string, after: Date) => Promise<boolean>,
  ) {
    this.#url = url;
    this.#server = server;
    this.#settled = settled;
    server.on('request', (request, response) => {
      const { url: path = '', method } = request;
      const document = this.#documents.get(path);
      if (method === 'POST') void text(request).then((body) => this.#posted.set(path, body));
      if (document === undefined) response.writeHead(404).end();
      else response.writeHead(200, document.headers ?? {}).end(document.body);
    });
  }

  static async open(
    url: string,
    settled: (collection: string, after: Date) => Promise<boolean>,
  ): Promise<InstallationWorld> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new InstallationWorld(url, server, settled);
  }

  async request(method: string, path: string, { body, headers = {} }: RequestOptions = {}): Promise<number> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    for await (const _ of response.body ?? []);
    return response.status;
  }

  async collection(settings: object): Promise<string> {
    this.#collections += 1;
    const path = `/v1/collections/c${this.#collections}`;
    await this.#send('PUT', path, settings);
    return path;
  }

  async fetched(
    settings: object,
    document: ServedDocument,
    { subscription = {}, others = {} }: FetchedMore = {},
  ): Promise<string> {
    const path = await this.collection(settings);
    const name = path.slice('/v1/collections/'.length);
    const { port } = this.#server.address() as AddressInfo;
    for (const [where, other] of [...Object.entries(others), [`/${name}`, document] as const])
      this.#documents.set(where, other);
    const url = `http://127.0.0.1:${port}/${name}`;
    await this.#send('PUT', `${path}/subscriptions/peer`, { ...subscription, url });
    await this.#isSettled(name);
    return path;
  }

  async refetched(path: string, document: ServedDocument): Promise<void> {
    const startedAt = new Date();
    this.#documents.set(path.slice('/v1/collections'.length), document);
    await this.request('POST', `${path}/subscriptions/peer/refresh`);
    await this.#isSettled(path.slice('/v1/collections/'.length), startedAt);
  }

  async posted(path: string): Promise<string> {
    await until(`${path} is requested`, async () => this.#posted.has(path));
    return this.#posted.get(path) ?? '';
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #isSettled(name: string, after = new Date(0)): Promise<void> {
    await until(`${name} is fetched and published`, () => this.#settled(name, after));
  }

  async #send(method: string, path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const status = await this.request(method, path, { body: JSON.stringify(body), headers });
    if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
  }
}
