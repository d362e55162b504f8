import { operations, problem, problemRules, problemsOf } from '#contracts';
import type { Operation, ProblemRule } from '#contracts';
import { misfit } from './misfit.ts';

/** An operation of the HTTP interface, and which paths it is at. */
interface Route {
  readonly name: string;
  readonly operation: Operation;
  readonly pattern: RegExp;
}

/** Those with the fewest parameters first, as `complete.rss` is not the nested feed `complete`. */
const routes: readonly Route[] = Object.entries<Operation>(operations)
  .map(([name, operation]) => ({ name, operation, pattern: patternOf(operation.path) }))
  .toSorted((a, b) => parameterCount(a) - parameterCount(b));

/** Rules that a request can break before it reaches an operation, so that none names them. */
const anywhere: readonly ProblemRule[] = [
  'malformed-request',
  'not-found',
  'method-not-allowed',
  'request-timeout',
  'expectation-failed',
  'header-too-large',
  'cross-origin',
  'rewritten-path',
  // A body may come with any request.
  'invalid-json',
  'json-limit',
  'invalid-body',
  'invalid-xml',
  'body-too-large',
  'unsupported-media-type',
];

const gateways = new Set<string>();
let isWrapped = false;

/**
 * From now on `fetch` rejects with what is wrong if a response of this gateway is not as the contracts say:
 * its status, its media type, or its JSON.
 */
export function checkResponses(url: string): void {
  gateways.add(new URL(url).origin);
  if (isWrapped) return;
  isWrapped = true;
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const request = new Request(input, { method: init?.method ?? 'GET' });
    if (!gateways.has(new URL(request.url).origin)) return response;
    const fault = await faultOf(request.method, withoutKey(new URL(request.url).pathname), response);
    if (fault === undefined) return response;
    throw new Error(`${request.method} ${request.url}, ${response.status}: ${fault}`);
  };
}

/** The path without the key that a secret address begins with. */
function withoutKey(path: string): string {
  return path.replace(/^\/r\/[^/]+(?=\/)/, '');
}

/** What the contracts do not say of a response; undefined if it is as they say. */
async function faultOf(method: string, path: string, response: Response): Promise<string | undefined> {
  const type = response.headers.get('content-type')?.split(';')[0];
  const route = routeOf(method, path);
  if (type === 'application/problem+json') return problemFault(route, await bodyOf(method, response));
  if (path.startsWith('/docs') || method === 'OPTIONS') return undefined;
  if (route === undefined) return 'no operation is here';
  const described = route.operation.responses[response.status];
  if (described === undefined) {
    // The page for browsers says with its status that the database is away.
    return type === 'text/html' ? undefined : `${route.name} does not have this status`;
  }
  if (type === 'application/json' && described.json !== undefined) {
    const body = await bodyOf(method, response);
    return body === undefined ? undefined : misfit(described.json, body);
  }
  const isKnown =
    type === undefined || described.isFile === true || Object.hasOwn(described.texts ?? {}, type);
  return isKnown ? undefined : `${route.name} does not have the media type ${type}`;
}

function problemFault(route: Route | undefined, body: unknown): string | undefined {
  if (body === undefined) return undefined;
  const fault = misfit(problem, body);
  if (fault !== undefined) return fault;
  const { type, status } = body as { readonly type: string; readonly status: number };
  const rule = type.replace('urn:feedmesh:problem:', '') as ProblemRule;
  if (!Object.hasOwn(problemRules, rule)) return `no contract names the rule ${rule}`;
  if (problemRules[rule].status !== status && rule !== 'invalid-body' && rule !== 'bad-request')
    return `a problem of ${rule} has status ${problemRules[rule].status}`;
  if (anywhere.includes(rule) || route === undefined || problemsOf(route.operation).includes(rule))
    return undefined;
  return `${route.name} does not name the rule ${rule}`;
}

/** The JSON of a response; undefined if it has none, or if its client went away meanwhile. */
async function bodyOf(method: string, response: Response): Promise<unknown> {
  if (method === 'HEAD' || response.status === 304) return undefined;
  const text = await response
    .clone()
    .text()
    .catch(() => '');
  return text === '' ? undefined : JSON.parse(text);
}

function routeOf(method: string, path: string): Route | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return routes.find(({ operation, pattern }) => operation.method === wanted && pattern.test(path));
}

function patternOf(path: string): RegExp {
  const parts = path
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replaceAll('.', String.raw`\.`)));
  return new RegExp(`^${parts.join('')}/?$`);
}

function parameterCount({ operation }: Route): number {
  return operation.path.split('{').length;
}
