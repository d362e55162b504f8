import type { Express, Request } from 'express';
import { operations } from '#contracts';
import type { Operation, OperationName } from '#contracts';
import { expressPath } from '../requests/route.ts';
import type { About } from './check-demand.ts';

/** What Express serves besides the operations: their description, which holds nothing of anyone's. */
const documentation = /^\/docs(?:\/|$)|^\/openapi\.json$|^\/asyncapi\.json$/;

const entries = Object.entries(operations) as [OperationName, Operation][];
const declared: ReadonlyMap<string, Operation> = new Map(
  entries.map(([, operation]) => [`${operation.method} ${expressPath(operation.path)}`, operation]),
);

/** Returns the operation that a route serves; undefined if it is none. */
export function operationAt(method: string, path: string): Operation | undefined {
  return declared.get(`${method === 'HEAD' ? 'GET' : method} ${path}`);
}

const open = Object.values<Operation>(operations)
  .filter(({ needs }) => needs === 'nothing')
  .map(({ method, path }) => ({ method, path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }));

/** Whether a path may be that of an operation that is open to anyone; its route decides. */
export function isOpen(method: string, path: string): boolean {
  return open.some((operation) => operation.method === method && operation.path.test(path));
}

const sending = entries
  .filter(([, { method, needs }]) => method !== 'GET' && needs !== 'nothing')
  .map(([name, operation]) => ({
    name,
    operation,
    path: new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`, 'i'),
  }));

/** An operation that may change something, and what a path names. */
export interface RequestedChange {
  readonly name: OperationName;
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Returns the operation that a request with this path may be for, before it is routed, if its caller sends
 * something for it; undefined if none.
 */
export function requestedChange(method: string, path: string): RequestedChange | undefined {
  for (const { name, operation, path: pattern } of sending) {
    const match = operation.method === method ? pattern.exec(path) : null;
    if (match !== null) return { name, operation, params: decodedAll(match.groups ?? {}) };
  }
  return undefined;
}

/** The name of an operation. */
export function nameOfOperation(operation: Operation): string {
  return entries.find(([, one]) => one === operation)?.[0] ?? '';
}

function decodedAll(groups: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decoded(text)]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a request for an operation is about. */
export function subjectOf(
  { over }: Pick<Operation, 'over'>,
  { params, query }: Pick<Request, 'params' | 'query'>,
): About {
  if (over === 'some') return { scope: { some: true } };
  if (over === 'queried')
    return { scope: typeof query['collection'] === 'string' ? query['collection'] : '*' };
  if (over === 'letter') return { scope: collectionOfLetter(String(params['letter'])) };
  const collection = params['collection'];
  return { scope: typeof collection === 'string' ? collection : '*' };
}

/** The collection that a dead letter is of, which its id begins with; `*` if it is of none. */
function collectionOfLetter(id: string): string {
  const end = id.lastIndexOf('.');
  const name = id.slice(0, Math.max(end, 0));
  return name === '' || name === 'commands' ? '*' : name;
}

/** Throws if a route is no operation of the contract: nothing would say who may use it. */
export function assertDeclared({ router }: Pick<Express, 'router'>): void {
  for (const { route } of router.stack) {
    if (route === undefined) continue;
    for (const method of Object.keys((route as unknown as { methods: Record<string, boolean> }).methods))
      if (operationAt(method.toUpperCase(), route.path) === undefined && !documentation.test(route.path))
        throw new Error(`The route ${method.toUpperCase()} ${route.path} declares no permission.`);
  }
}
