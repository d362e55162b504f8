import { FetchError } from '#core';
import type { FetchTransfer, HttpFetch } from '#core';

/** What a fetch has taken so far. */
export type TransferCount = { -readonly [Name in keyof FetchTransfer]: FetchTransfer[Name] };

/** The same requests; counts what they bring. The status is that of the first one, or of one that failed. */
export function countedHttp(http: HttpFetch, count: TransferCount): HttpFetch {
  return {
    async get(request) {
      try {
        const response = await http.get(request);
        count.status ??= response.status === 'ok' ? 200 : 304;
        return response.status === 'ok' ? { ...response, body: counted(response.body, count) } : response;
      } catch (error) {
        if (error instanceof FetchError) {
          if (error.status === undefined) delete count.status;
          else count.status = error.status;
        }
        throw error;
      }
    },
  };
}

function counted(body: AsyncIterable<Uint8Array>, count: TransferCount): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const pieces = body[Symbol.asyncIterator]();
      return {
        async next() {
          const piece = await pieces.next();
          if (piece.done !== true) count.bytes += piece.value.length;
          return piece;
        },
        async return() {
          return (await pieces.return?.()) ?? { done: true, value: undefined };
        },
      };
    },
  };
}
