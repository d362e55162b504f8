import { Param } from '@nestjs/common';
import { collectionName, subscriptionName } from '#contracts';
import { collectionKey, subscriptionId } from '#core';

const collection = collectionName.transform(collectionKey);
const subscription = subscriptionName.transform(subscriptionId);

/** Takes the collection that the path names, as its key. */
export function CollectionParam(): ParameterDecorator {
  return Param('collection', { schema: collection });
}

/** Takes the subscription that the path names. */
export function SubscriptionParam(): ParameterDecorator {
  return Param('subscription', { schema: subscription });
}
