import { createHttpFetch } from '#http-fetch';
import { acceptHttpFetch } from './http-fetch.acceptance.ts';
import type { Answer } from './http-fetch.acceptance.ts';
import { serveHttp } from './local-server.ts';

acceptHttpFetch('the network', async () => {
  const answers = new Map<string, () => Answer>();
  const server = await serveHttp((request, response) => {
    const answer = answers.get(request.url ?? '')?.() ?? { status: 404 };
    const { etag, 'last-modified': lastModified } = answer.headers ?? {};
    const unchanged =
      (etag !== undefined && request.headers['if-none-match'] === etag) ||
      (lastModified !== undefined && request.headers['if-modified-since'] === lastModified);
    response.writeHead(answer.status === 200 && unchanged ? 304 : answer.status, answer.headers);
    response.end(unchanged ? undefined : answer.body);
  });
  const http = createHttpFetch({ allowNetworks: ['127.0.0.0/8'] });
  return {
    http,
    serve(path, answer) {
      answers.set(path, answer);
      return server.origin + path;
    },
    async close() {
      await http.close();
      await server.close();
    },
  };
});
