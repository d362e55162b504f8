import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';

/** Where a certificate or key of the tests is. */
export function certificateFile(
  name: 'authority' | 'server' | 'server-key' | 'client' | 'client-key',
): string {
  return join(import.meta.dirname, 'certificates', `${name}.pem`);
}

/**
 * TLS in front of a server on 127.0.0.1, for clients with a certificate of `authority.pem`. Whether a Redis
 * can do TLS itself depends on how it was built.
 */
export async function startTlsProxy(
  port: number,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(
    {
      ca: readFileSync(certificateFile('authority')),
      cert: readFileSync(certificateFile('server')),
      key: readFileSync(certificateFile('server-key')),
      requestCert: true,
      rejectUnauthorized: true,
    },
    (client) => {
      const plain = connect(port, '127.0.0.1');
      client.pipe(plain).pipe(client);
      client.on('error', () => plain.destroy()).on('close', () => plain.destroy());
      plain.on('error', () => client.destroy()).on('close', () => client.destroy());
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
