import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keepIdleConnections } from '../../support/keep-idle-connections.ts';

/** What a path returns: a body with status 200, or more, or a listener that does it itself. */
export type Answer =
  | string
  | {
      readonly status?: number;
      readonly headers?: Record<string, string>;
      readonly body?: string | Uint8Array;
    }
  | RequestListener;

/** A publisher of feeds on 127.0.0.1 that keeps what it was asked. */
export interface FeedServer {
  url(path: string): string;
  /** Sets what a path returns from now on. */
  serve(path: string, answer: Answer): void;
  /** The requests for a path so far. */
  requests(path: string): readonly IncomingMessage[];
  close(): Promise<void>;
}

export async function openFeedServer(): Promise<FeedServer> {
  const answers = new Map<string, Answer>();
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    reply(answers.get(request.url ?? '') ?? { status: 404 }, request, response);
  });
  keepIdleConnections(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    serve: (path, answer) => void answers.set(path, answer),
    requests: (path) => requests.filter(({ url }) => url === path),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function reply(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  if (typeof answer === 'function') return answer(request, response);
  const { status = 200, headers = {}, body = '' } = typeof answer === 'string' ? { body: answer } : answer;
  response.writeHead(status, { 'content-type': 'application/atom+xml', ...headers }).end(body);
}
