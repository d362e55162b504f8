import {
  anyProtocol,
  operations,
  pathParameters,
  problem,
  problemRules,
  problemsOf,
  requestHeaders,
  tags,
} from '#contracts';
import { protocols } from '#protocols';
import type { Demand, Operation, ProblemRule, ResponseContract } from '#contracts';
import { STATUS_CODES } from 'node:http';
import { permissionOf } from '../access/check-demand.ts';
import { problemBody } from '../problems/problem-body.ts';
import { ProblemError } from '../problems/problem-error.ts';
import {
  contractOf,
  contractSchemas,
  reachableSchemas,
  schemaReference,
  valueSchema,
} from './contract-schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const file = { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } };

const securitySchemes = {
  key: { type: 'http', scheme: 'bearer', description: 'A key, as the token.' },
  password: {
    type: 'http',
    scheme: 'basic',
    description: 'A key, as the password with any user name, for feed readers and browsers.',
  },
} as const;

/** The description of the HTTP interface: OpenAPI 3.1, made of the contracts and the protocols. */
export function openApiDocument(): Json {
  const names = [...protocols.keys()];
  const text = JSON.stringify(describeOperations(), (key, value: unknown) =>
    key === 'protocol' && isSchema(value) ? { ...value, enum: names } : value,
  );
  return JSON.parse(text.replaceAll(JSON.stringify(anyProtocol), JSON.stringify(names[0]))) as Json;
}

function isSchema(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function describeOperations(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = operationObject(name, operation);
  }
  const rules = new Set(Object.values<Operation>(operations).flatMap(problemsOf));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Feedmesh',
      version: '1',
      description:
        'Keeps collections of items in step between endpoints that share nothing but feeds (FeedSync ' +
        '1.0.2, SSE 0.91), and mirrors and publishes trees of feeds (Content Sync Extensions). Errors are ' +
        'problems (RFC 9457). An object may have more members than its schema names.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, description]) => ({ name, description })),
    paths,
    security: [],
    components: {
      securitySchemes,
      schemas: reachableSchemas(paths, contractSchemas()),
      examples: Object.fromEntries([...rules].map((rule) => [rule, { value: problemExample(rule) }])),
    },
  };
}

function operationObject(name: string, operation: Operation): Json {
  const { tag, summary, description, body, responses } = operation;
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    ...securityOf(operation),
    parameters: parameters(operation),
    ...(body && {
      requestBody: { required: body.required, content: requestContent(body) },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, responseObject(response)]),
      ),
      ...problemResponses(operation),
    },
  };
}

/**
 * What an operation demands: a key, and in `x-permission` which permission that has. A public feed needs no
 * key, and nothing does where the gateway demands none.
 */
function securityOf({ needs }: Demand): Json {
  if (needs === 'nothing') return { security: [] };
  const permission = permissionOf(needs);
  const open = needs === 'feeds' ? [{}] : [];
  const schemes = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));
  return { security: [...open, ...schemes], ...(permission && { 'x-permission': permission }) };
}

function parameters({ path, query, headers = [] }: Operation): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const { schema, example, description } = pathParameters[name as keyof typeof pathParameters];
    const shown = valueSchema(schema);
    const value = shown['type'] === 'integer' ? Number(example) : example;
    return { name, in: 'path', required: true, description, schema: shown, example: value };
  });
  const inQuery = Object.entries(query === undefined ? {} : query.shape).map(([name, schema]) => {
    const { description, ...shown } = valueSchema(schema);
    return { name, in: 'query', required: false, description, schema: shown };
  });
  const inHeader = headers.map((name) => ({
    name,
    in: 'header',
    required: false,
    description: requestHeaders[name],
    schema: { type: 'string' },
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

function requestContent({ json, texts = {}, isFile = false }: NonNullable<Operation['body']>): Json {
  return {
    ...Object.fromEntries((json?.types ?? []).map((type) => [type, json && jsonContent(json.schema)])),
    ...textContent(texts),
    ...(isFile && file),
  };
}

function responseObject({ description, json, texts = {}, isFile = false }: ResponseContract): Json {
  const content = {
    ...(json && { 'application/json': jsonContent(json) }),
    ...textContent(texts),
    ...(isFile && file),
  };
  return { description, ...(Object.keys(content).length > 0 && { content }) };
}

function jsonContent(schema: NonNullable<ResponseContract['json']>): Json {
  return { schema: schemaReference(schema), example: contractOf(schema).example };
}

function textContent(texts: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(texts).map(([type, example]) => [type, { schema: { type: 'string' }, example }]),
  );
}

/** The problems of an operation by status, each with an example of every rule. */
function problemResponses(operation: Operation): Json {
  const rules = problemsOf(operation);
  const statuses = new Set(rules.map((rule) => problemRules[rule].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const broken = rules.filter((rule) => problemRules[rule].status === status);
      const { [status]: returned } = operation.responses;
      const shown = returned === undefined ? undefined : responseObject(returned);
      return [
        status,
        {
          description: shown === undefined ? (STATUS_CODES[status] ?? '') : shown['description'],
          content: {
            ...(shown?.['content'] as Json | undefined),
            'application/problem+json': {
              schema: schemaReference(problem),
              examples: Object.fromEntries(
                broken.map((rule) => [rule, { $ref: `#/components/examples/${rule}` }]),
              ),
            },
          },
        },
      ];
    }),
  );
}

function problemExample(rule: ProblemRule): Json {
  const { status, detail } = problemRules[rule];
  return problemBody(new ProblemError(status, rule, detail), '/v1/collections/todo');
}
