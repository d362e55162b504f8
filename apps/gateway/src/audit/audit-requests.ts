import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import type { Request, RequestHandler } from 'express';
import { isChange, isItemEdit, itemIdSegment } from '#contracts';
import type { Operation } from '#contracts';
import { failWork } from '#service';
import { requestedChange, subjectOf } from '../access/declared-operations.ts';
import { actorOf, principalOf } from '../access/principal.ts';
import type { TrustedProxies } from '../access/trusted-proxies.ts';
import { cut } from '../problems/problem-body.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { sendProblem } from '../problems/send-problem.ts';
import type { Step } from '../requests/front.ts';
import { isSafe } from '../requests/safe-methods.ts';
import { pathIn, queryIn } from '../requests/target.ts';
import type { AuditTrail } from './audit-trail.ts';
import { changeOf, ChangeInProgress, runChange, setChange } from './change-in-progress.ts';

/** How long what a path names is in an entry at most. */
const nameLength = 1000;

/**
 * Enters each request for an operation that changes something in the audit log, before its response is sent.
 * If what was changed can't be entered, the response says that its outcome is unknown.
 */
export function auditRequests(trail: AuditTrail, proxies: TrustedProxies, retrySeconds: number): Step {
  return (request, response, next) => {
    const change =
      trail.isOn && !isSafe(request.method ?? '') ? changeIn(request, response, proxies) : undefined;
    if (change === undefined) return next();
    setChange(request, change);
    holdEnd(request, response, retrySeconds, async () => {
      const principal = principalOf(request);
      if (principal !== undefined) change.actor = actorOf(principal);
      return (await trail.end(change, response.statusCode)) ? undefined : unknownOutcome();
    });
    next();
  };
}

/** Runs the handlers that follow as a part of the change that their request makes. */
export const runAsChange: RequestHandler = (request, _response, next) => {
  const change = changeOf(request);
  const principal = principalOf(request);
  if (change === undefined) return next();
  if (principal !== undefined) change.actor = actorOf(principal);
  runChange(change, next);
};

function changeIn(
  request: IncomingMessage,
  response: ServerResponse,
  proxies: TrustedProxies,
): ChangeInProgress | undefined {
  const requested = requestedChange(request.method ?? '', pathIn(request));
  if (requested === undefined || !isChange(requested.operation)) return undefined;
  const address = proxies.addressOf(request);
  const id = response.getHeader('x-request-id');
  const change = new ChangeInProgress({
    via: 'http',
    ...(address !== undefined && { address }),
    ...(typeof id === 'string' && { request: id }),
  });
  const query = parse(queryIn(request));
  describeChange(change, requested.name, requested.operation, requested.params, query);
  return change;
}

/** Says of a change what it is, by the operation and the parameters of its request. */
export function describeChange(
  change: ChangeInProgress,
  name: string,
  operation: Operation,
  params: Readonly<Record<string, string>>,
  query: Request['query'],
): void {
  change.operation = name;
  change.isEdit = isItemEdit(operation);
  const { scope } = subjectOf(operation, { params, query });
  change.collection = typeof scope === 'string' && scope !== '*' ? cut(scope, nameLength) : undefined;
  change.subject = subjectIn(params);
}

/** What a path names besides the collection. */
function subjectIn(params: Readonly<Record<string, string>>): ChangeInProgress['subject'] {
  const [kind, text] = Object.entries(params).find(([name]) => name !== 'collection') ?? [];
  if (kind === undefined || text === undefined) return undefined;
  if (kind !== 'id') return { kind, id: cut(text, nameLength) };
  return { kind: 'item', id: cut(itemIdSegment.safeParse(text).data ?? text, nameLength) };
}

function unknownOutcome(): ProblemError {
  return new ProblemError(
    503,
    'outcome-unknown',
    'What this request was to change may be changed, but the audit log could not be written. Read it ' +
      'before you send the request again.',
  );
}

/**
 * Has the end of a response wait for work.
 * @param work called once, when the response is complete but for its end; returns a problem to respond with
 *   in its place
 */
function holdEnd(
  request: IncomingMessage,
  response: ServerResponse,
  retrySeconds: number,
  work: () => Promise<ProblemError | undefined>,
): void {
  const end = response.end.bind(response);
  let values: unknown[] | undefined;
  const held = (...given: unknown[]): ServerResponse => {
    if (values !== undefined) {
      // A problem has taken the place of the response meanwhile.
      if (response.headersSent) values = given;
      return response;
    }
    values = given;
    work().then(
      (problem) => {
        response.end = end;
        if (problem === undefined || response.headersSent) Reflect.apply(end, undefined, values ?? []);
        else sendProblem(request, response, problem, retrySeconds);
      },
      (error: unknown) => {
        response.end = end;
        failWork(error);
      },
    );
    return response;
  };
  response.end = held as ServerResponse['end'];
}
