import { Param } from '@nestjs/common';
import { collectionName, itemIdSegment, subscriptionName } from '#contracts';
import { collectionKey, itemId, subscriptionId } from '#core';

const collection = collectionName.transform(collectionKey);
const item = itemIdSegment.transform(itemId);
const subscription = subscriptionName.transform(subscriptionId);

/** Takes the collection that the path names, as its key. */
export function CollectionParam(): ParameterDecorator {
  return Param('collection', { schema: collection });
}

/** Takes the subscription that the path names. */
export function SubscriptionParam(): ParameterDecorator {
  return Param('subscription', { schema: subscription });
}

/** Takes the id of the item that the path names. */
export function ItemParam(): ParameterDecorator {
  return Param('id', { schema: item });
}
