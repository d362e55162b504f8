import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { fetcher, http, read } from '../../../test/acceptance/http/network-trial.ts';

/** Something that others wait for. */
function moment() {
  let come = (): void => {};
  const came = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { came, come: () => come() };
}

/** A server, and how many connections to it are open. */
async function host(body = 'there') {
  const [held, begun] = [moment(), moment()];
  const open = new Set<unknown>();
  const server = await http((request, response) => {
    open.add(request.socket);
    request.socket.once('close', () => open.delete(request.socket));
    const isSlow = request.url === '/slow';
    if (isSlow) response.write(body);
    begun.come();
    void (isSlow ? held.came : Promise.resolve()).then(() => response.end(body));
  });
  return { origin: server.origin, open, held, begun, connections: () => server.connections() };
}

test('connections are kept to the hosts that were requested last, and closed to the others', async () => {
  const fetch = fetcher({ keptHosts: 2 });
  const hosts = [await host(), await host(), await host()] as const;
  const [first, second, third] = hosts;
  for (const { origin } of [first, second, first, third]) await read(fetch, { url: origin });
  while (second.open.size > 0) await turn();
  expect(hosts.map(({ open }) => open.size)).toEqual([1, 0, 1]);
  for (const { origin } of hosts) await read(fetch, { url: origin });
  expect(second.connections()).toBe(2);
});

test('what is in progress comes to its end, although other hosts were requested meanwhile', async () => {
  const fetch = fetcher({ keptHosts: 1 });
  const [slow, other] = [await host('slowly '), await host()];
  const reading = read(fetch, { url: `${slow.origin}/slow` });
  await slow.begun.came;
  await read(fetch, { url: other.origin });
  await read(fetch, { url: slow.origin });
  slow.held.come();
  expect(String(await reading)).toBe('slowly slowly ');
});
