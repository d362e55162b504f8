import { afterEach } from '@jest/globals';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { createHttpFetch } from '#http-fetch';
import type { HttpFetchSettings } from '#http-fetch';
import type { FetchRequest, HttpFetch, HttpPost } from '#core';
import { serveBytes, serveHttp } from './local-server.ts';
import type { LocalServer } from './local-server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** The real adapter, allowed to reach this machine, until the end of the test. */
export function fetcher(
  settings: Partial<HttpFetchSettings> = {},
): HttpFetch & HttpPost & { close(): Promise<void> } {
  const http = createHttpFetch({ allowNetworks: ['127.0.0.0/8'], ...settings });
  opened.push(http);
  return http;
}

/** A server that speaks HTTP until the end of the test. */
export async function http(listener: RequestListener): Promise<LocalServer> {
  const server = await serveHttp(listener);
  opened.push(server);
  return server;
}

/** A server that says whatever it likes until the end of the test. */
export async function bytes(onRequest: (socket: Socket) => void): Promise<LocalServer> {
  const server = await serveBytes(onRequest);
  opened.push(server);
  return server;
}

/** Reads a document to its end; `seen` is called with every piece. */
export async function read(
  fetch: HttpFetch,
  request: FetchRequest,
  seen: (piece: Uint8Array) => unknown = () => {},
): Promise<Buffer> {
  const response = await fetch.get(request);
  if (response.status !== 'ok') throw new Error(response.status);
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body) {
    pieces.push(piece);
    await seen(piece);
  }
  return Buffer.concat(pieces);
}
