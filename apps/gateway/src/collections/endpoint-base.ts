import type { Random, Store } from '#core';

/**
 * Returns what the endpoint identifiers of new collections begin with: the configured text, or one with the
 * random identifier of this installation, which is made when it is first needed. Either is part of a
 * Namespace Specific String (FeedSync 2.1.1).
 */
export async function endpointBase(
  store: Pick<Store, 'installation'>,
  random: Pick<Random, 'identifier'>,
  configured?: string,
): Promise<string> {
  return configured ?? installationBase(await store.installation.identifier(randomPart(random)));
}

/** What identifiers begin with that are made from the installation's. */
export function installationBase(identifier: string): string {
  return `feedmesh:${identifier}`;
}

/** 20 hexadecimal digits, 80 bits. */
export function randomPart(random: Pick<Random, 'identifier'>): string {
  return random.identifier().slice(0, 20);
}
