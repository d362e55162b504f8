import type { z } from 'zod';
import type { Demand } from '../access.ts';
import type { ProblemRule } from './problem-rules.ts';

/** Texts by media type, each with an example. */
type Texts = Readonly<Record<string, string>>;

/** What a request brings. */
interface RequestContract {
  readonly required: boolean;
  readonly json?: { readonly schema: z.ZodType; readonly types: readonly string[] };
  readonly texts?: Texts;
  /** Bytes of any media type. */
  readonly isFile?: boolean;
}

/** What a request that succeeds returns. */
export interface ResponseContract {
  readonly description: string;
  readonly json?: z.ZodType;
  readonly texts?: Texts;
  /** Bytes of any media type. */
  readonly isFile?: boolean;
}

/** One operation of the HTTP interface, with what it demands of its caller. */
export interface Operation extends Demand {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces, each of which is in `pathParameters`. */
  readonly path: string;
  readonly tag: Tag;
  /** That it changes nothing, although its method may. */
  readonly isSafe?: true;
  /** A few words. */
  readonly summary: string;
  readonly description: string;
  readonly query?: z.ZodObject;
  readonly headers?: readonly (keyof typeof requestHeaders)[];
  readonly body?: RequestContract;
  /** By status; the lowest is what is returned unless the handler says otherwise. */
  readonly responses: Readonly<Record<number, ResponseContract>>;
  /** The rules of its problems, besides those that any request can break. */
  readonly problems: readonly ProblemRule[];
}

/** The groups of operations, each with what it is about. */
export const tags = {
  index: 'Where everything is, and whether the service works.',
  collections: 'Sets of items, each with one endpoint identifier, one protocol and one format.',
  items: 'What is in collections: edits, deletions and conflicts.',
  outlines: 'Collections of outlines as one tree, and OPML.',
  subscriptions: 'The feeds that collections pull.',
  changes: 'What has changed since a cursor.',
  feeds: 'What collections publish.',
  trees: 'Trees of feeds with the files that they link to.',
  files: 'The files of trees.',
  keys: 'Who may do what.',
  tenants: 'Who has collections of their own here, and how much they may have.',
  audit: 'Who has changed what.',
  'dead letters': 'What could not be taken in, with the reasons.',
  hubs: 'What the hubs of subscribed feeds call (WebSub).',
} as const;
type Tag = keyof typeof tags;

/** The headers that requests can have, each with what it does. */
export const requestHeaders = {
  'If-Match':
    'The ETag of the revision that the edit was made for; otherwise it is made to whatever there is.',
  'Idempotency-Key': 'Makes it safe to send the edit again: under the same key it is made once.',
  'If-None-Match': 'An ETag: 304 if nothing has changed since.',
  'Last-Event-ID': 'The cursor that `stream` resumes from; goes before `since`.',
  'X-Hub-Signature': 'The HMAC of the body under the secret that the hub was given, such as `sha256=…`.',
  Range: 'The part of the file that is wanted.',
} as const;

/** What media types JSON of a merge patch may have. */
export const patchTypes = ['application/merge-patch+json', 'application/json'] as const;

/** What any request can break. */
const anyProblems: readonly ProblemRule[] = ['bad-request', 'invalid-host', 'unknown-host', 'internal-error'];
/** What a request can break that must say who it is from. */
const accessProblems: readonly ProblemRule[] = [
  'unauthenticated',
  'forbidden',
  'tenant-suspended',
  'tenant-throttled',
];
/** What a request that writes can break. */
const writeProblems: readonly ProblemRule[] = ['cross-origin', 'rewritten-path', 'outcome-unknown'];
/** What a request with a body of JSON or XML can break. */
const bodyProblems: readonly ProblemRule[] = [
  'invalid-json',
  'json-limit',
  'invalid-body',
  'body-too-large',
  'unsupported-media-type',
];

/**
 * Whether an operation changes something on behalf of its caller, which the audit log then tells of. What is
 * open to anyone, such as the calls of hubs, has no caller.
 */
export function isChange({ method, needs, isSafe }: Pick<Operation, 'method' | 'needs' | 'isSafe'>): boolean {
  return method !== 'GET' && needs !== 'nothing' && isSafe !== true;
}

/** Whether it changes items alone, each of which is stored with who has changed it. */
export function isItemEdit({ needs, tag }: Pick<Operation, 'needs' | 'tag'>): boolean {
  return (needs === 'write' || needs === 'resolve') && (tag === 'items' || tag === 'outlines');
}

/** The rules of all the problems that an operation can return, each once. */
export function problemsOf({ method, path, query, body, problems, needs }: Operation): ProblemRule[] {
  const takesInput = query !== undefined || body !== undefined || path.includes('{');
  return [
    ...new Set([
      ...anyProblems,
      'invalid-credentials' as const,
      ...(needs === 'nothing' ? [] : accessProblems),
      ...(query !== undefined && 'cursor' in query.shape ? (['too-many-readers'] as const) : []),
      ...(takesInput ? (['invalid-input', 'unavailable'] as const) : []),
      ...(method === 'GET' ? [] : writeProblems),
      ...(body === undefined || body.isFile === true ? [] : bodyProblems),
      ...problems,
    ]),
  ];
}
