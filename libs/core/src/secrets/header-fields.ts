import type { Credentials } from '#contracts';

/** The header fields that carry credentials, with names in lower case. */
export function headerFieldsOf(credentials: Credentials): Readonly<Record<string, string>> {
  if (credentials.kind === 'bearer') return { authorization: `Bearer ${credentials.token}` };
  if (credentials.kind === 'basic') {
    const pair = Buffer.from(`${credentials.username}:${credentials.password}`, 'utf8');
    return { authorization: `Basic ${pair.toString('base64')}` };
  }
  return Object.fromEntries(
    Object.entries(credentials.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
