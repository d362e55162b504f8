import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { keepIdleConnections } from '../../support/keep-idle-connections.ts';

/** A server on 127.0.0.1. */
export interface LocalServer {
  readonly port: number;
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** How many connections were ever opened to it. */
  connections(): number;
  /** Breaks off every connection. */
  close(): Promise<void>;
}

/** A server that speaks HTTP. */
export function serveHttp(listener: RequestListener): Promise<LocalServer> {
  const server = createHttpServer(listener);
  keepIdleConnections(server);
  return listening(server);
}

/**
 * A server that says whatever it likes; `onRequest` gets each connection when the client has said something.
 */
export function serveBytes(onRequest: (socket: Socket) => void): Promise<LocalServer> {
  return listening(createTcpServer((socket) => socket.once('data', () => onRequest(socket))));
}

async function listening(server: Server): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    connections: () => connections,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
