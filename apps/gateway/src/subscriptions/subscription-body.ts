import { z } from 'zod';
import { commandSchemas, subscriptionName } from '#messages';

const { url, interval } = commandSchemas.subscribe.shape;

/** A feed to subscribe to; the interval in seconds, 60 to 86,400 by default and a year at most. */
export const subscriptionBody = z.strictObject({
  url,
  interval: z.strictObject(interval.unwrap().shape).optional(),
});

/** The same, under a name of the client's choice or one that is made of the address. */
export const newSubscriptionBody = subscriptionBody.extend({ subscription: subscriptionName.optional() });
