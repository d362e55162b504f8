import { z } from 'zod';
import { commandSchemas } from '../command.ts';
import { credentials } from '../credentials.ts';
import { subscriptionIdText } from '../key.ts';
import { contracts } from '../registry.ts';

const { url, interval, adopt, adoptedAs, discover, userAgent, acceptLanguage } =
  commandSchemas.subscribe.shape;
/** How the feed is requested. */
const request = {
  userAgent: userAgent.describe(
    'What requests send as `User-Agent`, for hosts that refuse the one of the fetcher; null for that one.',
  ),
  acceptLanguage: acceptLanguage.describe('What requests send as `Accept-Language`; null for nothing.'),
  credentials: credentials.nullable().optional(),
};
const example = { url: 'https://peer.example/todo.atom' };

/**
 * A feed to subscribe to; the interval in seconds, 60 to 86,400 by default and a year at most. Credentials
 * that are not given stay as they are, unless the URL gets another origin; null removes them. So do
 * `userAgent` and `acceptLanguage`, whatever the URL.
 */
export const subscriptionBody = z
  .strictObject({
    url,
    interval: z.strictObject(interval.unwrap().shape).optional(),
    adopt: adopt.describe(
      'Whether items without synchronisation data are adopted; `auto`, the default, unless the feed has ' +
        '`sx:sharing`.',
    ),
    adoptedAs: adoptedAs.describe(
      'The endpoint identifier that a plain feed is adopted under; by default one made of its address.',
    ),
    discover: discover.describe(
      'Whether the URL may be that of an HTML page, whose feed is subscribed to then. The robots.txt of ' +
        'its site is heeded.',
    ),
    ...request,
  })
  .register(contracts, { id: 'SubscriptionBody', version: 1, example });

/** The same, under a name of the client's choice or one that is made of the address. */
export const newSubscriptionBody = subscriptionBody
  .extend({ subscription: subscriptionIdText.optional() })
  .register(contracts, { id: 'NewSubscriptionBody', version: 1, example });

/** A change of a subscription (RFC 7396); without an interval it has that of a new one. */
export const subscriptionPatch = z
  .strictObject({
    url: url.optional(),
    interval: z.strictObject(interval.unwrap().shape).partial().nullable().optional(),
    adopt: adopt.unwrap().nullable().optional(),
    ...request,
  })
  .register(contracts, { id: 'SubscriptionPatch', version: 1, example: { interval: { minimum: 300 } } });
