import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { changeEvent } from './change-event.ts';
import type { ChangeEvent } from './change-event.ts';
import type { AnyItemView } from './http/item.ts';
import { itemEventExample } from './item-event.ts';
import { contracts } from './registry.ts';

const example = { ...itemEventExample, subject: 'peer' };
const withData = (type: string, data: object) => ({
  ...example,
  type: `feedmesh.subscription.${type}.v1`,
  data,
});
const progress = { done: 1, total: 2, bytes: 3, failed: 0 };

/** Reads of each kind of event what it alone has; the compiler refuses any other member. */
function subjectOf(event: ChangeEvent): unknown {
  switch (event.type) {
    case 'feedmesh.item.created.v1':
    case 'feedmesh.item.updated.v1':
    case 'feedmesh.item.deleted.v1':
    case 'feedmesh.item.undeleted.v1':
    case 'feedmesh.item.conflicted.v1':
    case 'feedmesh.item.resolved.v1': {
      const shown: AnyItemView | undefined = event.data.item;
      // @ts-expect-error an item has no former address
      return [event.data.itemUrl, event.data.conflictCount, shown, event.data.formerUrl];
    }
    case 'feedmesh.subscription.fetched.v1':
    case 'feedmesh.subscription.failed.v1':
    case 'feedmesh.subscription.gone.v1':
      // @ts-expect-error only an item has an address
      return [event.data.subscription, event.data.itemUrl];
    case 'feedmesh.subscription.moved.v1':
      return `${event.data.formerUrl} ${event.data.url}`.length;
    case 'feedmesh.subscription.resynced.v1':
      return event.data.discarded + 1;
    case 'feedmesh.subscription.progress.v1':
      return event.data.progress.total;
    case 'feedmesh.subscription.endpoint-not-unique.v1':
      return event.data.endpoint.length;
    default:
      return event satisfies never;
  }
}

describe('a change event', () => {
  test('has the data of its type', () => {
    const { data: item } = itemEventExample;
    expect(subjectOf(itemEventExample)).toEqual([item.itemUrl, 0, undefined, undefined]);
    expect(subjectOf(changeEvent.parse(withData('progress', { subscription: 'peer', progress })))).toBe(2);
  });

  test.each([
    ['moved', { subscription: 'peer', discarded: 1 }],
    ['resynced', { subscription: 'peer' }],
    ['progress', { subscription: 'peer', progress: {} }],
    ['endpoint-not-unique', {}],
    ['fetched', itemEventExample.data],
    ['unheard-of', { subscription: 'peer' }],
  ])('of the type %s with other data is none', (type, data) => {
    expect(changeEvent.safeParse(withData(type, data)).success).toBe(false);
  });

  test('is described as a union by its JSON Schema', () => {
    const { schemas } = z.toJSONSchema(contracts, { io: 'input', uri: (id) => id });
    expect(schemas['ChangeEvent']).toMatchObject({
      oneOf: [{ $ref: 'ItemEvent' }, { $ref: 'SubscriptionEvent' }],
    });
    expect(schemas['SubscriptionEvent']?.oneOf).toHaveLength(5);
  });
});
