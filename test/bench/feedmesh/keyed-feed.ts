import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import type { IssuedKeyView } from '#contracts';
import type { World } from '../row.ts';
import type { Installation } from './installation.ts';
import { createOwnItems } from './own-items.ts';

/** Starts an installation with a small feed, and issues a key that permits to read it. */
export async function openKeyedFeed(
  world: World,
): Promise<{ readonly installation: Installation; readonly url: string; readonly key: string }> {
  const installation = await world.another({
    environment: { AUTH_SECRETS: randomBytes(32).toString('base64') },
  });
  await createOwnItems(installation, 'access', 10);
  const issued = await request(`${installation.url}/v1/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'reader',
      grants: [{ permissions: ['feeds'], collections: 'access' }],
    }),
  });
  const { key } = (await issued.body.json()) as Required<IssuedKeyView>;
  const url = `${installation.url}/feeds/access.atom`;
  return { installation, url, key };
}
