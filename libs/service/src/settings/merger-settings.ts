import { z } from 'zod';
import { seconds, wholeNumber } from './setting-kinds.ts';
import { pipelineSettings } from './pipeline-settings.ts';
import { tenantSettings } from './tenant-settings.ts';

/** The settings of the merger. */
export const mergerSettings = pipelineSettings.extend({
  MERGE_CONCURRENCY: wholeNumber(1, 1000)
    .default(4)
    .describe('Batches that one merger has in progress at the same time'),
  MIRROR_CONCURRENCY: wholeNumber(1, 1000)
    .default(4)
    .describe('Feeds of mirrored trees that one merger has in progress at the same time'),
  FINALIZE_CONCURRENCY: wholeNumber(1, 1000)
    .default(4)
    .describe('Fetches that one merger finalizes at the same time'),
  DELETE_CONCURRENCY: wholeNumber(1, 1000)
    .default(2)
    .describe('Outlines whose contents one merger deletes at the same time'),
  DELETE_LEASE_MS: wholeNumber(100, 3_600_000)
    .default(30_000)
    .describe('Milliseconds without progress after which such a deletion may go on in another merger'),
  DELETE_RECONCILE_MS: wholeNumber(10, 3_600_000)
    .default(5000)
    .describe(
      'Milliseconds between two looks for such deletions that were interrupted, and for removed ' +
        'collections that still have something',
    ),
  DELETE_KEEP_SECONDS: seconds(31_536_000)
    .default(86_400)
    .describe('Seconds for which such a deletion can be read after its end'),
  ...tenantSettings,
  TENANT_RECOUNT_SECONDS: seconds(31_536_000)
    .default(86_400)
    .describe(
      'Seconds after which what is stored of a collection of a tenant is counted again, to correct what a ' +
        'process that was killed has left uncounted',
    ),
  MERGE_RESOLUTION_MODULES: resolutionModules()
    .default([])
    .describe('Resolution modules that collections may name (name=path, comma-separated)'),
});
export type MergerConfiguration = z.output<typeof mergerSettings>;

/**
 * Names and paths of files, separated by commas; neither a path nor a name can hold a comma, and no name
 * comes twice.
 */
function resolutionModules(): z.ZodType<[name: string, path: string][], string> {
  return z
    .string()
    .transform((text) =>
      text.split(',').map((module): [string, string] => {
        const [name = '', ...path] = module.trim().split('=');
        return [name, path.join('=')];
      }),
    )
    .refine(
      (list) => list.every(([name, path]) => /^[a-z0-9][a-z0-9-]{0,62}$/.test(name) && path !== ''),
      'must be a comma-separated list of name=path, such as newest=policies/newest.mjs; a name is 1 to ' +
        '63 of a-z, 0-9 and "-"',
    )
    .refine((list) => new Set(list.map(([name]) => name)).size === list.length, 'must name each module once');
}
