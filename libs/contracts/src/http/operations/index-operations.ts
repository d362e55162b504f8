import { z } from 'zod';
import { contracts } from '../../registry.ts';
import { liveness, readiness } from '../health.ts';
import type { Operation } from '../operation.ts';
import { pageParameters } from '../page.ts';
import { serviceIndex } from '../service-index.ts';

export const indexQuery = z.object({
  cursor: pageParameters.cursor,
  signIn: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true` returns 401 without a key, so that a browser asks for one.'),
});

const openApi = z
  .looseObject({ openapi: z.string() })
  .register(contracts, { id: 'OpenApiDocument', version: 1, example: { openapi: '3.1.0' } });
const asyncApi = z
  .looseObject({ asyncapi: z.string() })
  .register(contracts, { id: 'AsyncApiDocument', version: 1, example: { asyncapi: '3.1.0' } });

export const indexOperations = {
  readIndex: {
    method: 'GET',
    path: '/',
    needs: 'nothing',
    tag: 'index',
    summary: 'Where everything is',
    description:
      'Says where everything is; to a browser (`Accept: text/html`) as a page with the collections and ' +
      'their feeds, which says with status 503 that the database is away. If keys are required, the page ' +
      'lists the collections that the key may read, and asks for one if there is none.',
    query: indexQuery,
    responses: {
      200: {
        description: 'Where everything is.',
        json: serviceIndex,
        texts: { 'text/html': '<!doctype html><title>Feedmesh</title>' },
      },
    },
    problems: ['unauthenticated'],
  },
  readLiveness: {
    method: 'GET',
    path: '/health/live',
    needs: 'nothing',
    tag: 'index',
    summary: 'Whether the service runs',
    description: 'Returns 200 as long as the process responds.',
    responses: { 200: { description: 'It runs.', json: liveness } },
    problems: [],
  },
  readReadiness: {
    method: 'GET',
    path: '/health/ready',
    needs: 'nothing',
    tag: 'index',
    summary: 'Whether the service can work',
    description: 'Runs every check, and says what is wrong.',
    responses: {
      200: {
        description: 'Requests are served; `degraded` if some part does not work, such as without Redis.',
        json: readiness,
      },
      503: { description: 'MongoDB is away, or the service is about to end.', json: readiness },
    },
    problems: [],
  },
  readMetrics: {
    method: 'GET',
    path: '/metrics',
    needs: 'metrics',
    tag: 'index',
    summary: 'Measurements for Prometheus',
    description:
      'Says how much is in each queue, and what this gateway has measured of its work, as text for ' +
      'Prometheus. Every gateway says the same of the queues, which are those of the installation; while ' +
      'Redis is away, nothing is said of them.',
    responses: {
      200: {
        description: 'The measurements.',
        texts: { 'text/plain': 'feedmesh_queue_backlog{queue="merge"} 12\n' },
      },
    },
    problems: [],
  },
  readOpenApi: {
    method: 'GET',
    path: '/openapi.json',
    needs: 'nothing',
    tag: 'index',
    summary: 'This document',
    description: 'Describes the HTTP interface: OpenAPI 3.1. `/docs` shows it to people.',
    responses: { 200: { description: 'The description.', json: openApi } },
    problems: [],
  },
  readAsyncApi: {
    method: 'GET',
    path: '/asyncapi.json',
    needs: 'nothing',
    tag: 'index',
    summary: 'The queue and the stream',
    description: 'Describes the queue `commands` and the stream of change events: AsyncAPI 3.',
    responses: { 200: { description: 'The description.', json: asyncApi } },
    problems: [],
  },
} as const satisfies Readonly<Record<string, Operation>>;
