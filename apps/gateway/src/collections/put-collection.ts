import { isFeedTree, protocolOf, protocols } from '#protocols';
import { isOrdered } from '#protocol';
import { nameOf } from '#core';
import type { Collection, CollectionKey } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { invalidInput, ProblemError } from '../problems/problem-error.ts';
import { checkTenantLimit } from '../tenants/tenant-limits.ts';
import { putRoot } from '../tree/put-root.ts';
import type { CollectionBody } from './collection-body.ts';
import { changeSettings } from './collection-settings.ts';

/**
 * Creates a collection, or changes its title and settings; of a tree of feeds, the root too. Throws
 * `ProblemError` 409 if protocol, format, endpoint or `ordered` are to become others, or a collection of this
 * name is still being removed, 400 if protocol,
 * format and settings do not fit each other.
 */
export async function putCollection(
  ports: GatewayPorts,
  key: CollectionKey,
  body: CollectionBody,
): Promise<{ created: boolean; collection: Collection }> {
  const put = await createOrChange(ports, key, body);
  // Every time, so that what a crash has left out is made up for.
  if (isFeedTree(put.collection)) await putRoot(ports, put.collection, body.title);
  return put;
}

async function createOrChange(
  ports: GatewayPorts,
  key: CollectionKey,
  body: CollectionBody,
): Promise<{ created: boolean; collection: Collection }> {
  const { collections } = ports.store;
  // Again only if somebody else has created it, removed it, or completed its removal between two steps.
  for (;;) {
    const existing = await collections.find(key);
    if (existing !== undefined) {
      const change = changeOf(existing, body);
      if (await collections.update(key, change))
        return { created: false, collection: { ...existing, ...change } };
    } else {
      await checkTenantLimit(ports, key, 'collections');
      const collection = await newCollection(ports, key, body);
      if (await collections.create(collection)) return { created: true, collection };
      if (await collections.isBeingRemoved(key)) throw beingRemoved(key);
    }
  }
}

function beingRemoved(key: CollectionKey): ProblemError {
  return new ProblemError(
    409,
    'collection-being-removed',
    `The collection "${nameOf(key)}" was removed, and what it had is still being deleted. ` +
      'Try again in a few seconds.',
    {},
    { 'Retry-After': '5' },
  );
}

async function newCollection(
  { clock, endpointBase }: GatewayPorts,
  key: CollectionKey,
  body: CollectionBody,
): Promise<Collection> {
  const protocol = body.protocol ?? protocolFor(body.format);
  const { formats } = protocolOf({ protocol });
  const format = body.format ?? formats[0];
  if (!formats.includes(format))
    throw invalidInput([
      {
        path: 'body.format',
        message:
          `a collection of the protocol ${protocol} has the format ` +
          `${formats.join(' or ')}, ` +
          `not ${format}`,
      },
    ]);
  if (format === 'opml' && body.settings?.ordered === false)
    throw invalidInput([
      { path: 'body.settings.ordered', message: 'outlines always have an order (SSE 3.2)' },
    ]);
  return {
    key,
    protocol,
    format,
    title: body.title ?? nameOf(key),
    endpoint: body.endpoint ?? `${await endpointBase()}:${key}`,
    settings: changeSettings(protocol, body.settings),
    publication: { sequence: 0, since: 0, relayed: 0 },
    createdAt: clock.now(),
  };
}

/** The first protocol whose collections can have this format; without a format, the first of all. */
function protocolFor(format: Collection['format'] | undefined): string {
  const found = [...protocols].find(([, { formats }]) => format === undefined || formats.includes(format));
  if (found === undefined) throw new TypeError(`No protocol has the format ${format}.`);
  return found[0];
}

function changeOf(existing: Collection, body: CollectionBody): Pick<Collection, 'title' | 'settings'> {
  for (const property of ['protocol', 'format', 'endpoint'] as const)
    refuseChange(existing.key, property, existing[property], body[property]);
  const settings = changeSettings(existing.protocol, body.settings, existing.settings);
  refuseChange(existing.key, 'ordered', isOrdered(existing), body.settings?.ordered);
  return { title: body.title ?? existing.title, settings };
}

function refuseChange(
  key: CollectionKey,
  property: string,
  value: string | boolean,
  wanted: string | boolean | undefined,
): void {
  if (wanted === undefined || wanted === value) return;
  const way =
    property === 'endpoint' ? ` POST /v1/collections/${nameOf(key)}/endpoint gives it another one.` : '';
  throw new ProblemError(
    409,
    'collection-fixed',
    `The ${property} of the collection "${nameOf(key)}" is "${value}" and can't become "${wanted}".${way}`,
  );
}
