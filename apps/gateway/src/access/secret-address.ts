import type { NextFunction, Request, Response } from 'express';
import type { AccessKey } from '#core';

/** A key, and the path of a feed or a file behind it. */
const pattern = /^\/r\/(fm_[0-9a-f]{16}_[A-Za-z0-9_-]{43})(\/(?:feeds|files)\/.*)$/s;

const keys = new WeakMap<Request, string>();

/** What addresses of feeds and files begin with for the reader that has this key. */
export function secretAddress(publicUrl: string, key: string): string {
  return `${publicUrl}/r/${key}`;
}

/** Whether a key may stand in an address: it permits to read feeds, and nothing else. */
export function mayBeAddressed({ grants }: Pick<AccessKey, 'grants'>): boolean {
  return grants.every(({ permissions }) => permissions.every((permission) => permission === 'feeds'));
}

/** Takes the key out of a secret address: the request goes on as one for what stands behind the key. */
export function takeSecretAddress(request: Request, _response: Response, next: NextFunction): void {
  const [, key, rest] = pattern.exec(request.url) ?? [];
  if (key !== undefined && rest !== undefined) {
    keys.set(request, key);
    request.url = rest;
    request.originalUrl = rest;
  }
  next();
}

/** Returns the key that stood in the address of a request; undefined if none did. */
export function keyInAddress(request: Request): string | undefined {
  return keys.get(request);
}
