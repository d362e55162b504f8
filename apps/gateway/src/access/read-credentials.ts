/**
 * The secret in an `Authorization` header: the token of `Bearer` (RFC 6750), or the password of `Basic`
 * (RFC 7617), with which any user name may stand. Undefined for another scheme, or what its scheme forbids.
 */
export function secretIn(authorization: string): string | undefined {
  const [, scheme = '', value = ''] = /^([A-Za-z]+) +([\x21-\x7e]+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon === -1 ? undefined : pair.slice(colon + 1);
}
