import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessKey } from '#core';

/** A key, and the path of a feed or a file behind it. */
const pattern = /^\/r\/(fm_[0-9a-f]{16}_[A-Za-z0-9_-]{43})(\/(?:feeds|files)\/.*)$/s;

const keys = new WeakMap<IncomingMessage, string>();

/** What addresses of feeds and files begin with for the reader that has this key. */
export function secretAddress(publicUrl: string, key: string): string {
  return `${publicUrl}/r/${key}`;
}

/** Whether a key may stand in an address: it permits to read feeds, and nothing else. */
export function mayBeAddressed({ grants }: Pick<AccessKey, 'grants'>): boolean {
  return grants.every(({ permissions }) => permissions.every((permission) => permission === 'feeds'));
}

/** The key in the path of a secret address, and the path behind it; undefined for any other path. */
export function secretAddressIn(path: string): { readonly key: string; readonly rest: string } | undefined {
  const [, key, rest] = pattern.exec(path) ?? [];
  return key === undefined || rest === undefined ? undefined : { key, rest };
}

/** Takes the key out of a secret address: the request goes on as one for what stands behind the key. */
export function takeSecretAddress(
  request: IncomingMessage,
  _response: ServerResponse,
  next: () => void,
): void {
  const address = secretAddressIn(request.url ?? '');
  if (address !== undefined) {
    keys.set(request, address.key);
    request.url = address.rest;
  }
  next();
}

/** Returns the key that stood in the address of a request; undefined if none did. */
export function keyInAddress(request: IncomingMessage): string | undefined {
  return keys.get(request);
}
