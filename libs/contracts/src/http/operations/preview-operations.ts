import type { Operation } from '../operation.ts';
import { preview, previewBody } from '../preview.ts';

/** The operation that shows a feed before anyone subscribes to it. */
export const previewOperations = {
  previewFeed: {
    method: 'POST',
    path: '/v1/preview',
    needs: 'subscribe',
    over: 'some',
    isSafe: true,
    tag: 'subscriptions',
    summary: 'Previews a feed',
    description:
      'Fetches a feed and shows the items that a subscription would adopt or merge. Nothing is stored. Of ' +
      'an HTML page, shows the feed that a subscription with `discover` would read. The limits of fetches ' +
      'apply.',
    body: { required: true, json: { schema: previewBody, types: ['application/json'] } },
    responses: { 200: { description: 'The feed with its items.', json: preview } },
    problems: ['preview-failed', 'preview-unavailable'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
