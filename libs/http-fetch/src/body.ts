import { FetchError } from '#core';
import { codingOf, decode } from './content-coding.ts';
import type { Exchange } from './exchange.ts';
import { failureOf, located } from './failure.ts';
import { listOf } from './header.ts';
import { TransferRate } from './transfer-rate.ts';
import { httpFetchVariables } from './settings.ts';
import type { HttpFetchSettings } from './settings.ts';
import type { UpstreamTime } from './upstream-time.ts';

/** Below this many decoded bytes the ratio says nothing: a small body of spaces is no bomb. */
const ratioFreeBytes = 1024 * 1024;

/**
 * The decoded body of a response, within the limits on bytes, ratio and time. Whichever way the reading ends,
 * the exchange ends with it. Throws `FetchError` (`content-coding`) at once for a coding that is not
 * understood.
 */
export function bodyOf(
  exchange: Exchange,
  time: UpstreamTime,
  settings: HttpFetchSettings,
): AsyncIterable<Uint8Array> {
  const coding = codingOf(listOf(exchange.header, 'content-encoding'));
  const pieces = limited(exchange, coding, time, settings);
  const iterator: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    next: () => pieces.next(),
    // A generator that was never started would not run its own clean-up.
    return: async () => {
      exchange.end();
      return await pieces.return(undefined);
    },
  };
  return iterator;
}

async function* limited(
  exchange: Exchange,
  coding: string | undefined,
  time: UpstreamTime,
  settings: HttpFetchSettings,
): AsyncGenerator<Uint8Array, undefined> {
  let receivedBytes = 0;
  let decodedBytes = 0;
  async function* received(): AsyncGenerator<Uint8Array> {
    const source = exchange.body[Symbol.asyncIterator]();
    const rate = new TransferRate(settings.idleSeconds);
    try {
      for (;;) {
        const { waited } = time;
        const limit = { seconds: rate.seconds, error: () => rate.error() };
        const step = await time.wait(() => source.next(), exchange.end, limit);
        if (step.done === true) return;
        rate.take(time.waited - waited, step.value.length);
        receivedBytes += step.value.length;
        yield step.value;
      }
    } catch (error) {
      throw failureOf(error, settings);
    }
  }
  try {
    for await (const piece of coding === undefined ? received() : decode(coding, received())) {
      decodedBytes += piece.length;
      if (decodedBytes > settings.bodyBytes) {
        throw new FetchError(
          'body-too-large',
          `the body is larger than ${settings.bodyBytes} bytes (${httpFetchVariables.bodyBytes})`,
        );
      }
      if (decodedBytes > ratioFreeBytes && decodedBytes > settings.compressionRatio * receivedBytes) {
        throw new FetchError(
          'compression-ratio',
          `the body unpacks to more than ${settings.compressionRatio} times what was sent ` +
            `(${httpFetchVariables.compressionRatio})`,
        );
      }
      yield piece;
    }
  } catch (error) {
    throw located(failureOf(error, settings), exchange.url);
  } finally {
    exchange.end();
  }
  return undefined;
}
