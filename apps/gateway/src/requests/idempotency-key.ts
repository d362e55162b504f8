import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { KeyReusedError } from '#protocol';
import type { KeyedEdit } from '#items';
import type { CollectionKey } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';

/** A key as it is, or as a string of Structured Fields (RFC 9651, 3.3.3). */
const keyPattern = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/** An edit under a key, and the identifier that a new item without an id has by it. */
export interface KeyedRequest extends KeyedEdit {
  readonly identifier: string;
}

/**
 * Reserves the `Idempotency-Key` of an edit for its request: the same request under the same key is the same
 * edit.
 * @returns undefined without a key
 * @throws ProblemError 400 for a key that is none, KeyReusedError for that of another request
 */
export async function reserveKey(
  { store, clock, configuration }: Pick<GatewayPorts, 'store' | 'clock' | 'configuration'>,
  collection: CollectionKey,
  request: Request,
): Promise<KeyedRequest | undefined> {
  const keyed = keyedRequest(collection, request, configuration);
  if (keyed === undefined) return undefined;
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + keyed.keep.seconds * 1000);
  const held = await store.editKeys.reserve(
    { collection, key: keyed.key, request: keyed.request, expiresAt },
    now,
  );
  if (held !== keyed.request) throw new KeyReusedError();
  return keyed;
}

function keyedRequest(
  collection: CollectionKey,
  request: Request,
  { GATEWAY_IDEMPOTENCY_SECONDS: seconds, GATEWAY_IDEMPOTENCY_KEYS: count }: GatewayPorts['configuration'],
): KeyedRequest | undefined {
  const field = request.get('idempotency-key')?.trim();
  if (field === undefined) return undefined;
  const match = keyPattern.exec(field);
  const key = match?.[1] ?? match?.[2];
  if (key === undefined)
    throw new ProblemError(
      400,
      'invalid-idempotency-key',
      'An Idempotency-Key has 1 to 255 visible ASCII characters, without quotation marks in it.',
    );
  const { method, originalUrl, headers, body } = request as {
    method: string;
    originalUrl: string;
    headers: Request['headers'];
    body: unknown;
  };
  const said = [method, originalUrl, headers['if-match'] ?? '', headers['content-type'] ?? '', body ?? null];
  return {
    key: digest([collection, key]),
    request: digest(said),
    keep: { seconds, count },
    identifier: digest(['item', collection, key], 'hex').slice(0, 32),
  };
}

/** Throws `ProblemError` 400 for a key on a request that would be made twice all the same. */
export function refuseKey(request: Request, reason: string): void {
  if (request.get('idempotency-key') !== undefined)
    throw new ProblemError(
      400,
      'idempotency-key-unsupported',
      `This request takes no Idempotency-Key: ${reason}`,
    );
}

function digest(value: unknown, encoding: 'base64url' | 'hex' = 'base64url'): string {
  return createHash('sha256').update(JSON.stringify(value)).digest(encoding);
}
