import { existsSync, readFileSync } from 'node:fs';

/**
 * What `User-Agent` says (RFC 9110, 10.1.5): the product, and in a comment the address of those who run it
 * and how many subscribers the feed has here, as far as they are known.
 */
export function userAgentOf(
  { userAgent, contactUrl }: { readonly userAgent: string; readonly contactUrl?: string },
  subscribers?: number,
): string {
  const comment = [
    ...(contactUrl === undefined ? [] : [`+${contactUrl}`]),
    ...(subscribers === undefined
      ? []
      : [`${subscribers} ${subscribers === 1 ? 'subscriber' : 'subscribers'}`]),
  ].join('; ');
  return comment === '' ? userAgent : `${userAgent} (${comment})`;
}

/** The name and version of the product. The version is in `package.json`, which is above this file. */
export function productToken(): string {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', folder)) && folder.pathname !== '/')
    folder = new URL('..', folder);
  const { version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as {
    version: string;
  };
  return `Feedmesh/${version}`;
}
