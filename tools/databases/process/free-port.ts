import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Where a free port is looked for. Systems take the ports of outgoing connections, and those of servers that
 * ask for any, from 32768 (Linux) or 49152 upwards: none of these is given to somebody else before the server
 * that it is meant for listens.
 */
const firstPort = 20_000;
const lastPort = 32_767;

/** How many ports are tried before it is said that there is none. */
const attempts = 1000;

/**
 * A port of 127.0.0.1 that nothing listens on, and that no other call gets while this process lives, in
 * whichever process: it is reserved by a UDP socket of the same number. It is the preferred one if that is
 * free.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isAvailable(preferred))) return preferred;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(firstPort, lastPort + 1);
    if (await isAvailable(port)) return port;
  }
  throw new Error(`no port from ${firstPort} to ${lastPort} is free`);
}

/** Whether a server could listen on this port of every address now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}

async function isAvailable(port: number): Promise<boolean> {
  return (await reserve(port)) && (await isPortFree(port));
}

/** Holds the port until this process ends; false if somebody holds it. */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').once('error', () => resolve(false));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      resolve(true);
    });
  });
}
