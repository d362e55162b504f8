import { parseGrant } from '#contracts';
import type { Grant } from '#contracts';

/**
 * Reads what a claim of a token permits: `permissions:collections`, such as `read,write:orders-*`, as a list,
 * or in one text with spaces between. Whatever else stands there is left out, as other services have their
 * own in it.
 */
export function grantsIn(claim: unknown): Grant[] {
  const texts: unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return texts.flatMap((text) => (typeof text === 'string' ? (parseGrant(text) ?? []) : []));
}
