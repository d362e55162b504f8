import { createMemoryHttp } from '#in-memory';
import { acceptHttpFetch } from './http-fetch.acceptance.ts';

acceptHttpFetch('in memory', async () => {
  const http = createMemoryHttp();
  return {
    http,
    serve(path, answer) {
      const url = `http://endpoint.example${path}`;
      http.serve(url, answer);
      return url;
    },
    close: async () => {},
  };
});
