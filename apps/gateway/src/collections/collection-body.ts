import { collectionBody as contract, endpointBody as endpointContract } from '#contracts';
import { isNamespaceSpecificString } from '#feedsync';
import { protocols } from '#protocols';
import { z } from 'zod';

const identifierRule = 'an endpoint identifier is a Namespace Specific String (RFC 2141; FeedSync 2.1.1)';

/** The identifier of an endpoint of ours. */
const ownIdentifier = contract.shape.endpoint
  .unwrap()
  .refine(isNamespaceSpecificString, identifierRule)
  .refine(
    (endpoint) => !endpoint.startsWith('resolution:'),
    'identifiers that begin with "resolution:" stand for resolutions by a policy',
  );

/** The endpoint identifier that a collection is to sign with from now on. */
export const endpointBody = endpointContract.extend({ endpoint: ownIdentifier.optional() });

/** What a collection can be given, with a protocol that there is and identifiers that can be. */
export const collectionBody = contract
  .extend({ protocol: z.enum([...protocols.keys()]).optional(), endpoint: ownIdentifier.optional() })
  .superRefine(({ settings }, context) => {
    const resolution = settings?.resolution;
    if (resolution?.policy === 'prefer-endpoint' && !isNamespaceSpecificString(resolution.endpoint))
      context.addIssue({
        code: 'custom',
        path: ['settings', 'resolution', 'endpoint'],
        message: identifierRule,
      });
  });
export type CollectionBody = z.infer<typeof collectionBody>;
export type SettingsBody = NonNullable<CollectionBody['settings']>;
