import { notUniqueRule } from '#items';
import { nameOf, pagesOf } from '#core';
import type { Collection, CollectionKey } from '#core';
import { retry } from '../dead-letters/retry.ts';
import { anyone } from '../access/principal.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { installationBase, randomPart } from './endpoint-base.ts';
import { findCollection } from './find-collection.ts';

/** How many collections are read at once. */
const pageCollections = 100;

/** How many dead letters are taken in again at once; the others are for `dead-letters retry`. */
const retriedLetters = 1000;

/**
 * What a renewal came to: the collection as it is now, and what became of the items that had been refused.
 */
interface RenewedEndpoint {
  readonly collection: Collection;
  /** Refused items that were merged, and that still are refused, of the first 1,000. */
  readonly deadLetters: { readonly merged: number; readonly left: number };
}

/**
 * Gives a collection another endpoint identifier to sign with from now on, and takes in what was refused
 * because someone else signs with the former one. By default the identifier is random: if the former one was
 * made from that of the installation, the installation gets another one too. Throws `ProblemError` 404 if
 * there is no such collection, 409 for an identifier that a collection has or had.
 */
export async function renewEndpoint(
  ports: GatewayPorts,
  key: CollectionKey,
  wanted?: string,
): Promise<RenewedEndpoint> {
  const { collections } = ports.store;
  for (;;) {
    const collection = await findCollection(ports, key);
    if (wanted !== undefined) await checkUnused(ports, wanted);
    const endpoint = wanted ?? (await anotherEndpoint(ports, collection));
    if (!(await collections.renewEndpoint(key, collection.endpoint, endpoint))) continue;
    const deadLetters = await retryRefused(ports, key);
    return { collection: await findCollection(ports, key), deadLetters };
  }
}

async function checkUnused({ store }: GatewayPorts, endpoint: string): Promise<void> {
  const pages = pagesOf(
    (page) => store.collections.list(page),
    ({ key }) => key,
    pageCollections,
  );
  for await (const page of pages) {
    const user = page.find((collection) => identifiersOf(collection).includes(endpoint));
    if (user !== undefined)
      throw new ProblemError(
        409,
        'endpoint-used',
        `"${endpoint}" is or was the endpoint identifier of the collection "${nameOf(user.key)}"; give ` +
          'one that was never used, or none.',
      );
  }
}

async function anotherEndpoint(
  { store, random, endpointBase }: GatewayPorts,
  collection: Collection,
): Promise<string> {
  const part = randomPart(random);
  const base = installationBase(await store.installation.identifier(part));
  // Whoever shares it with us would make the same identifiers for new collections.
  if ((await endpointBase()) === base && collection.endpoint.startsWith(`${base}:`))
    await store.installation.renew(part);
  const endpoint = `${await endpointBase()}:${collection.key}`;
  return identifiersOf(collection).includes(endpoint) ? `${endpoint}:${part}` : endpoint;
}

function identifiersOf({ endpoint, retiredEndpoints = [] }: Collection): readonly string[] {
  return [endpoint, ...retiredEndpoints];
}

async function retryRefused(
  ports: GatewayPorts,
  collection: CollectionKey,
): Promise<RenewedEndpoint['deadLetters']> {
  let [merged, left] = [0, 0];
  for (const { id } of await ports.store.deadLetters.list({
    collection,
    rule: notUniqueRule,
    limit: retriedLetters,
  })) {
    try {
      // Only items are refused for this rule, and no commands, which someone would have to be permitted.
      await retry(ports, anyone, id);
      merged += 1;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      left += 1;
    }
  }
  return { merged, left };
}
