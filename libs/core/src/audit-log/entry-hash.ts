import { createHash } from 'node:crypto';
import type { AuditEntry } from '../audit.ts';

/** The hash that an entry has: the SHA-256 (base64url) of the rest of it in its canonical form. */
export function entryHash({
  hash: _hash,
  ...rest
}: Omit<AuditEntry, 'hash'> & { readonly hash?: string }): string {
  return createHash('sha256').update(canonicalJson(rest)).digest('base64url');
}

/**
 * JSON without white space, in which the members of each object are in the order of their names by code
 * unit, and what is undefined is absent (as in RFC 8785, for texts, whole numbers and booleans).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
