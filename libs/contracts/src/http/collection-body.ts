import { z } from 'zod';
import { contracts } from '../registry.ts';
import { collectionFormat, settingsBody, visibility } from './collection-settings.ts';
import { xmlText } from './xml-text.ts';

const endpoint = z.string().max(500);

/** The endpoint identifier that a collection is to sign with from now on. */
export const endpointBody = z
  .strictObject({
    endpoint: endpoint.optional().describe('One that was never used; a random one by default.'),
  })
  .register(contracts, { id: 'EndpointBody', version: 1, example: { endpoint: 'example.org:todo-2' } });

/** Who may read the feeds and files of a collection. */
export const visibilityBody = z
  .strictObject({
    visibility: visibility.describe(
      '`public`: everyone; `private`: whoever has the permission "read". Where requests need no key, both ' +
        'are the same.',
    ),
  })
  .register(contracts, { id: 'VisibilityBody', version: 1, example: { visibility: 'public' } });

/**
 * What a collection can be given. If it exists, what is absent stays as it is; `null` takes a setting away.
 */
export const collectionBody = z
  .strictObject({
    title: xmlText.min(1).max(500).optional(),
    protocol: z
      .string()
      .optional()
      .describe('The name of a synchronisation protocol; by default the first one that has the format.'),
    format: collectionFormat.optional().describe('One that the protocol has; its first one by default.'),
    endpoint: endpoint
      .optional()
      .describe(
        'Under what identifier this endpoint edits, a Namespace Specific String (RFC 2141); ' +
          '`FEEDMESH_ENDPOINT`, or `feedmesh:` and the random identifier of this installation, and the ' +
          'name by default.',
      ),
    settings: settingsBody.optional(),
  })
  .register(contracts, {
    id: 'CollectionBody',
    version: 1,
    example: { title: 'To do', format: 'atom', settings: { windowItems: 500 } },
  });
