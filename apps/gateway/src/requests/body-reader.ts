import { json, raw } from 'express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { createFeedDecoder } from '#xml';
import { requestedChange } from '../access/declared-operations.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { jsonFault } from './json-limits.ts';
import { isSafe } from './safe-methods.ts';
import type { JsonLimits } from './json-limits.ts';

/** The media types of XML that requests may have. */
export const xmlTypes = [
  'application/atom+xml',
  'application/rss+xml',
  'text/x-opml',
  'application/xml',
  'text/xml',
];

const jsonTypes = ['application/json', 'application/*+json'];

/**
 * Reads bodies: JSON becomes a value, XML a text (charset as in RFC 7303), in `request.body`. Anything else
 * but a file is refused (415), and so are malformed JSON and JSON beyond its limits (400), ill-encoded XML
 * (422) and bodies of more than `limit` bytes after decompression (413).
 */
export function bodyReader(limit: number, jsonLimits: JsonLimits): RequestHandler[] {
  const fault =
    (next: NextFunction) =>
    (error?: unknown): void =>
      next(error === undefined ? undefined : bodyProblem(error, limit));
  const verify = (_request: unknown, _response: unknown, bytes: Buffer, charset: string): void =>
    checkJson(bytes, charset, jsonLimits);
  const [readJson, readBytes] = [json({ limit, type: jsonTypes, verify }), raw({ limit, type: xmlTypes })];
  // Nest would add parsers for JSON and for forms, which take the body of a file for theirs, unless there are
  // some of these very names.
  return [
    function jsonParser(request, response, next) {
      if (!isRead(request)) next();
      else if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
      else readJson(request, response, fault(next));
    },
    function urlencodedParser(request, response, next) {
      if (!isRead(request)) next();
      else readBytes(request, response, fault(next));
    },
    decodeXml,
  ];
}

/**
 * Whether the body of a request is read here. A file of whatever type is kept as it arrives, what a hub sends
 * has the signature of its bytes, and a body for no operation is not wanted.
 */
function isRead({ method, path }: Request): boolean {
  const operation = isSafe(method) ? undefined : requestedChange(method, path)?.operation;
  return operation !== undefined && operation.body?.isFile !== true;
}

function decodeXml(request: Request, _response: Response, next: NextFunction): void {
  if (Buffer.isBuffer(request.body)) {
    const decoder = createFeedDecoder(request.headers['content-type']);
    request.body = decoder.write(request.body) + decoder.end();
  } else if (request.body === undefined && hasBody(request) && isRead(request)) {
    throw new ProblemError(
      415,
      'unsupported-media-type',
      `A body is ${[...jsonTypes, ...xmlTypes].join(', ')}; this one is ` +
        `${request.headers['content-type'] ?? 'without a type'}.`,
    );
  }
  next();
}

/**
 * Looks at JSON before it is parsed. Throws `ProblemError` 415 for another encoding than UTF-8 (RFC 8259,
 * 8.1), 400 beyond a limit.
 */
function checkJson(bytes: Buffer, charset: string, limits: JsonLimits): void {
  if (charset !== 'utf-8')
    throw new ProblemError(
      415,
      'unsupported-media-type',
      `JSON is sent as UTF-8 (RFC 8259, 8.1), not as ${charset}.`,
    );
  const message = jsonFault(bytes, limits);
  if (message !== undefined) throw new ProblemError(400, 'json-limit', message);
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function bodyProblem(error: unknown, limit: number): unknown {
  // The parser has made an error of HTTP of it, of which Nest would keep only status and message.
  if (error instanceof ProblemError) return new ProblemError(error.status, error.rule, error.message);
  const { status, type, message } = error as { status?: unknown; type?: unknown; message?: unknown };
  if (typeof status !== 'number' || status >= 500) return error;
  if (type === 'entity.too.large') return tooLarge(limit);
  if (type === 'entity.parse.failed')
    return new ProblemError(400, 'invalid-json', String(message), {
      errors: [{ path: 'body', message: String(message) }],
    });
  return new ProblemError(
    status,
    status === 415 ? 'unsupported-media-type' : 'invalid-body',
    String(message),
  );
}

function tooLarge(limit: number): ProblemError {
  return new ProblemError(
    413,
    'body-too-large',
    `A body has at most ${limit} bytes (setting GATEWAY_BODY_BYTES).`,
  );
}
