import { readFileSync } from 'node:fs';
import { connect, createServer as createPlainServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';

/** Where a certificate or key of the tests is. */
export function certificateFile(
  name: 'authority' | 'server' | 'server-key' | 'client' | 'client-key',
): string {
  return join(import.meta.dirname, 'certificates', `${name}.pem`);
}

export interface TlsProxy {
  readonly port: number;
  /** How many connections have come with TLS. */
  readonly connections: number;
  close(): Promise<void>;
}

/** The first byte of a connection with TLS: that of a record of its handshake. */
const handshake = 22;

/**
 * TLS in front of a server on 127.0.0.1, for clients with a certificate of `authority.pem`. Whether a Redis
 * can do TLS itself depends on how it was built.
 * @param takesPlain whether connections without TLS go through too
 */
export async function startTlsProxy(port: number, takesPlain = false): Promise<TlsProxy> {
  let connections = 0;
  const secure = createServer(
    {
      ca: readFileSync(certificateFile('authority')),
      cert: readFileSync(certificateFile('server')),
      key: readFileSync(certificateFile('server-key')),
      requestCert: true,
      rejectUnauthorized: true,
    },
    (client) => {
      connections += 1;
      relay(client, port);
    },
  );
  const server = takesPlain ? sniffing(secure, port) : secure;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Hands connections with TLS to the one server, and relays the others. */
function sniffing(secure: Server, port: number): Server {
  return createPlainServer((client) => {
    client.on('error', () => {});
    client.once('readable', () => {
      const first = client.read() as Buffer | null;
      if (first === null) return;
      client.unshift(first);
      if (first[0] === handshake) secure.emit('connection', client);
      else relay(client, port);
    });
  });
}

function relay(client: Socket, port: number): void {
  const plain = connect(port, '127.0.0.1');
  client.pipe(plain).pipe(client);
  client.on('error', () => plain.destroy()).on('close', () => plain.destroy());
  plain.on('error', () => client.destroy()).on('close', () => client.destroy());
}
