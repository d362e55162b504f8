import type { Collection } from '#ports';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { CollectionBody } from './collection-body.ts';
import { changeSettings } from './collection-settings.ts';
import { findCollection } from './find-collection.ts';

/**
 * Creates a collection, or changes its title and settings. Throws `ProblemError` 409 where protocol, format or endpoint are to
 * become others, 400 where settings do not fit each other.
 */
export async function putCollection(ports: GatewayPorts, name: string, body: CollectionBody): Promise<{ created: boolean; collection: Collection }> {
  const { collections } = ports.store;
  let existing = await collections.find(name);
  if (existing === undefined) {
    const collection = newCollection(ports, name, body);
    if (await collections.create(collection)) return { created: true, collection };
    existing = await findCollection(ports, name);
  }
  const change = changeOf(existing, body);
  if (!(await collections.update(name, change))) await findCollection(ports, name);
  return { created: false, collection: { ...existing, ...change } };
}

function newCollection({ clock, endpoint }: GatewayPorts, name: string, body: CollectionBody): Collection {
  return {
    name,
    protocol: body.protocol ?? 'feedsync',
    format: body.format ?? 'atom',
    title: body.title ?? name,
    endpoint: body.endpoint ?? `${endpoint}:${name}`,
    settings: changeSettings(body.settings),
    publication: { sequence: 0, since: 0, relayed: 0 },
    createdAt: clock.now(),
  };
}

function changeOf(existing: Collection, body: CollectionBody): Pick<Collection, 'title' | 'settings'> {
  for (const property of ['protocol', 'format', 'endpoint'] as const) {
    const wanted = body[property];
    if (wanted !== undefined && wanted !== existing[property])
      throw new ProblemError(409, 'collection-fixed', `The ${property} of the collection "${existing.name}" is "${existing[property]}" and can't become "${wanted}".`);
  }
  return { title: body.title ?? existing.title, settings: changeSettings(body.settings, existing.settings) };
}
