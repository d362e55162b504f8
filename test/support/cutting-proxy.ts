import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A TCP proxy on loopback that can cut connections, also between a request and its response. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #fault: { readonly text: string; readonly done: () => void } | undefined;
  #closed = false;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => this.#relay(client));
  }

  /** @param target the port of the server, on loopback */
  static async open(target: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resolves once a message with this text was answered; the response is lost, and no connection is left. */
  cutAfter(text: string): Promise<void> {
    return new Promise((done) => {
      this.#fault = { text, done };
    });
  }

  /** Cuts the connections that there are; new ones are taken. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Takes connections again. */
  mend(): void {
    this.#closed = false;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, 'close');
  }

  #relay(client: Socket): void {
    if (this.#closed) return void client.destroy();
    const upstream = connect(this.#target, '127.0.0.1');
    this.#join(client, upstream);
    this.#join(upstream, client);
    let isCut = false;
    client.on('data', (bytes: Buffer) => {
      isCut ||= this.#fault !== undefined && bytes.includes(this.#fault.text);
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (isCut) this.#cutOff();
      else client.write(bytes);
    });
  }

  /** Ends the other side as soon as one side is closed. */
  #join(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }

  #cutOff(): void {
    this.#closed = true;
    this.cut();
    this.#fault?.done();
    this.#fault = undefined;
  }
}
