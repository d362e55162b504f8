import type { Operation } from '../operation.ts';
import { hubQuery } from '../hub-query.ts';

const path = '/websub/{token}';

export const hubOperations = {
  verifyCallback: {
    method: 'GET',
    path,
    needs: 'nothing',
    tag: 'hubs',
    summary: 'Verifies a subscription at a hub',
    description:
      'For hubs: verifies what this installation has asked the hub for, or tells that the hub refuses ' +
      '(WebSub, 5.2 and 5.3). Returns the challenge; 404 for anything that was not requested.',
    query: hubQuery,
    responses: { 200: { description: 'The challenge.', texts: { 'text/plain': '3f7a0c6b' } } },
    problems: ['callback-not-found'],
  },
  announceChange: {
    method: 'POST',
    path,
    needs: 'nothing',
    tag: 'hubs',
    summary: 'Announces a change of a feed',
    description:
      'For hubs: announces that a subscribed feed has changed (WebSub, 7). With the right ' +
      '`X-Hub-Signature` the feed is fetched soon; the body counts for nothing else. Without one nothing ' +
      'is done, and the response is the same.',
    headers: ['X-Hub-Signature'],
    body: { required: false, isFile: true },
    responses: { 202: { description: 'It has arrived.' } },
    problems: ['callback-not-found', 'callback-ended', 'incomplete-body', 'body-too-large'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
