import { z } from 'zod';
import { commandSchemas, subscriptionName } from '#messages';

/** A feed to subscribe to; the interval in seconds, 60 to 86,400 by default. */
export const subscriptionBody = z.strictObject({
  url: commandSchemas.subscribe.shape.url,
  interval: z.strictObject({ minimum: z.number().int().positive(), maximum: z.number().int().positive() }).optional(),
});

/** The same, under a name of the client's choice or one that is made of the address. */
export const newSubscriptionBody = subscriptionBody.extend({ subscription: subscriptionName.optional() });
