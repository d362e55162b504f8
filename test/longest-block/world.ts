import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../bench/feedmesh/until.ts';
import type { RequestOptions, ServedDocument, World } from './large-input.ts';

/** A running installation, with a server of the documents that it fetches. */
export class InstallationWorld implements World {
  readonly #url: string;
  readonly #server: Server;
  readonly #documents = new Map<string, ServedDocument>();
  readonly #settled: (collection: string) => Promise<boolean>;
  #collections = 0;

  /** @param settled whether nothing more comes of what was sent to a collection */
  private constructor(url: string, server: Server, settled: (collection: string) => Promise<boolean>) {
    this.#url = url;
    this.#server = server;
    this.#settled = settled;
    server.on('request', ({ url: path = '' }, response) => {
      const document = this.#documents.get(path);
      if (document === undefined) response.writeHead(404).end();
      else response.writeHead(200, document.headers ?? {}).end(document.body);
    });
  }

  static async open(
    url: string,
    settled: (collection: string) => Promise<boolean>,
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

  async fetched(settings: object, document: ServedDocument): Promise<string> {
    const path = await this.collection(settings);
    const name = path.slice('/v1/collections/'.length);
    const { port } = this.#server.address() as AddressInfo;
    this.#documents.set(`/${name}`, document);
    await this.#send('PUT', `${path}/subscriptions/peer`, { url: `http://127.0.0.1:${port}/${name}` });
    await until(`${name} is fetched and published`, () => this.#settled(name));
    this.#documents.delete(`/${name}`);
    return path;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #send(method: string, path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const status = await this.request(method, path, { body: JSON.stringify(body), headers });
    if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
  }
}
