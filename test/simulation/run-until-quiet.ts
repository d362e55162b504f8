import type { SimulatedEndpoint } from './simulated-endpoint.ts';

/**
 * Lets everybody fetch, merge and publish until a whole round changes nothing; every interrupted fetch has
 * been given up by then.
 */
export async function runUntilQuiet(
  endpoints: readonly SimulatedEndpoint[],
  pass: () => void,
): Promise<void> {
  let quiet = 0;
  let before = '';
  for (let round = 0; quiet < 13; round += 1) {
    if (round === 200) throw new Error('the endpoints do not come to rest');
    pass();
    for (const endpoint of endpoints) {
      await endpoint.reconcile();
      while (await endpoint.deliver());
    }
    const now = JSON.stringify(await Promise.all(endpoints.map((endpoint) => endpoint.items())));
    quiet = now === before ? quiet + 1 : 0;
    before = now;
  }
}
