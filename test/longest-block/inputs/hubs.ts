import { createHmac } from 'node:crypto';
import type { LargeInput } from '../large-input.ts';

/** WEBSUB_BODY_BYTES, and the calls and responses of hubs. */
export const hubInputs: readonly LargeInput[] = [
  {
    name: 'WEBSUB_BODY_BYTES: announcements and calls of a hub',
    send: async (world) => {
      await world.fetched(
        { protocol: 'feedsync', format: 'atom' },
        {
          body: '<feed xmlns="http://www.w3.org/2005/Atom"/>',
          headers: { 'content-type': 'application/atom+xml', link: '</hub>; rel=hub, </topic>; rel=self' },
        },
        { others: { '/hub': { body: new Uint8Array(16_000_000) } } },
      );
      const form = new URLSearchParams(await world.posted('/hub'));
      const said = (name: string): string => form.get(`hub.${name}`) ?? '';
      const { pathname } = new URL(said('callback'));
      const call = (mode: string, more: Readonly<Record<string, string>>): Promise<number> => {
        const query = new URLSearchParams({ 'hub.mode': mode, 'hub.topic': said('topic'), ...more });
        return world.request('GET', `${pathname}?${query.toString()}`);
      };
      await call('subscribe', { 'hub.challenge': 'a'.repeat(14_000), 'hub.lease_seconds': '86400' });
      await world.request('GET', `${pathname}?${'&'.repeat(15_000)}`);
      const body = new Uint8Array(16_777_216);
      for (const method of ['sha1', 'sha256', 'sha384', 'sha512']) {
        const signature = `${method}=${createHmac(method, said('secret')).update(body).digest('hex')}`;
        await world.request('POST', pathname, { body, headers: { 'x-hub-signature': signature } });
      }
      await world.request('POST', pathname, { body, headers: { 'x-hub-signature': 'a'.repeat(14_000) } });
      await call('denied', { 'hub.reason': '\t'.repeat(4000) });
    },
  },
];
