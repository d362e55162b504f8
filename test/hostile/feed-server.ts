import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Resource {
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A publisher of hostile feeds on 127.0.0.1. */
export class HostileServer {
  readonly #server = createServer((request, response) => {
    const resource = this.#resources.get(request.url ?? '');
    response.writeHead(resource === undefined ? 404 : 200, resource?.headers).end(resource?.body);
  });
  readonly #resources = new Map<string, Resource>();
  #origin = '';

  static async open(): Promise<HostileServer> {
    const opened = new HostileServer();
    // While a large feed is read, this process has no time for connections.
    opened.#server.keepAliveTimeout = 60_000;
    opened.#server.listen(0, '127.0.0.1');
    await once(opened.#server, 'listening');
    opened.#origin = `http://127.0.0.1:${(opened.#server.address() as AddressInfo).port}`;
    return opened;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Serves these resources, by path, in place of those before; returns the address that paths go with. */
  serve(resources: Readonly<Record<string, Resource>>): string {
    this.#resources.clear();
    for (const [path, resource] of Object.entries(resources)) this.#resources.set(path, resource);
    return this.#origin;
  }
}
