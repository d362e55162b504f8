import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A key as its owner sends it: what it is found by, and the whole of it. */
export interface AccessKeyText {
  readonly id: string;
  readonly text: string;
}

/** `fm_`, 16 characters that identify the key, `_`, and its secret of 256 bits in base64url. */
const pattern = /^fm_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;

/** Makes a key; with an id, another secret for the key that has this id. */
export function makeAccessKey(id: string = randomBytes(8).toString('hex')): AccessKeyText {
  return { id, text: `fm_${id}_${randomBytes(32).toString('base64url')}` };
}

/** The id of the key that the subject of a client certificate stands for. */
export function accessKeyIdOf(subject: string): string {
  return createHash('sha256').update(subject).digest('hex').slice(0, 16);
}

/** Reads a key; undefined if the text is none. */
export function parseAccessKey(text: string): AccessKeyText | undefined {
  const id = pattern.exec(text)?.[1];
  return id === undefined ? undefined : { id, text };
}

/** The digest of a key: HMAC-SHA-256 under a secret of the installation, in base64url. */
export function digestAccessKey(secret: Uint8Array, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** Whether two texts are the same, in a time that depends on their lengths alone. */
export function isSameSecret(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
