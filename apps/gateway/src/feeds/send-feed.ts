import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayPorts } from '../gateway-ports.ts';
import { contentCoding } from '../requests/content-coding.ts';
import { collectText, sendBuffer, sendText } from '../requests/send-text.ts';
import type { KeptFeed, RequestedFeed } from './feed-cache.ts';
import { datedValidator, sendUnmodified } from './validators.ts';

/**
 * Responds with a feed: 304, the bytes that are kept of it, or the feed as it is read. Throws `ProblemError`
 * 503 if too many are sent already.
 */
export async function sendFeed(
  ports: GatewayPorts,
  requested: RequestedFeed,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await sendKept(ports, await composedFeed(ports, requested), request, response);
}

async function composedFeed(
  { feeds, clock }: Pick<GatewayPorts, 'feeds' | 'clock'>,
  requested: RequestedFeed,
): Promise<KeptFeed> {
  const { path, source } = requested;
  const now = clock.now();
  const known = feeds.findCurrent(path, source, now);
  if (known !== undefined) return known;
  const feed = await requested.compose(now);
  // Another request may have composed the same meanwhile; its bytes are made once.
  return feeds.findCurrent(path, source, now) ?? feeds.keep(requested, feed, now);
}

/** Responds with a feed that was found to be current. */
export async function sendKept(
  ports: GatewayPorts,
  kept: KeptFeed,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { etag, updated, mediaType } = kept.feed;
  const validators = { etag, ...datedValidator(updated, ports.clock.now()) };
  if (sendUnmodified(request, response, validators)) return;
  response.setHeader('Content-Type', mediaType);
  if (request.method === 'HEAD') return sendText(ports, kept.text, request, response);
  const coding = contentCoding(request);
  // So that parts which are made to be kept, and are too much, are there when they are sent.
  ports.feeds.open(kept, response);
  try {
    const body = await ports.feeds.body(kept, coding?.name ?? 'identity', () =>
      collectText(kept.text, coding, ports.feeds.bodyBytes),
    );
    if (body === undefined) await sendText(ports, kept.text, request, response);
    else await sendBuffer(ports, body, coding, request, response);
  } finally {
    ports.feeds.close(kept, response);
  }
}
