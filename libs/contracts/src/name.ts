import { z } from 'zod';

/** The name of a collection: leads every stored key and every message. */
export const collectionName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'a collection name is 1 to 63 of a-z, 0-9 and "-", and does not begin with "-"',
  );
/** The name of a subscription within its collection. */
export const subscriptionName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'a subscription name is 1 to 63 of a-z, 0-9 and "-", and does not begin with "-"',
  );
