import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { TenantLimitError, UnavailableError } from '#core';
import { countRefusal } from '#service';
import { changeOf } from '../audit/change-in-progress.ts';
import { isCallback, shownPath } from '../requests/shown-path.ts';
import type { ProblemError } from './problem-error.ts';
import { cut } from './problem-body.ts';
import { problemOf } from './problem-of.ts';
import { sendProblem, targetOf } from './send-problem.ts';

const logger = new Logger('Request');
/** The responses that have ended with an error. */
const failed = new WeakSet<ServerResponse>();

/**
 * Responds to an error with `application/problem+json` (RFC 9457), and logs it. A response that has begun is
 * cut off.
 * @param retrySeconds after which clients are to try again what is not available
 */
export function answerError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  retrySeconds: number,
): void {
  // What fails because of the problem that is being sent is not told of.
  if (failed.has(response)) return;
  failed.add(response);
  const problem = problemOf(error);
  log(error, problem, request, response);
  if (error instanceof TenantLimitError) countRefusal(error.limit.tenant, error.limit.what);
  const change = changeOf(request);
  if (change !== undefined) change.problem = problem.rule;
  if (response.headersSent) response.destroy();
  else sendProblem(request, response, problem, retrySeconds);
}

/**
 * An outage, and what a client did wrong, is known from its message; an error that nobody foresaw has its
 * stack.
 */
function log(
  error: unknown,
  { status, rule, message }: ProblemError,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [path = ''] = targetOf(request).split('?', 1);
  const what = `${request.method} ${shownPath(path)}`;
  const id = { request_id: response.getHeader('x-request-id') };
  if (error instanceof UnavailableError) logger.warn(`${what}: ${error.message}`, id);
  else if (status >= 500)
    logger.error(`${what}: ${error instanceof Error ? error.stack : String(error)}`, id);
  else if (isCallback(path)) logger.debug(`${what}: ${status} ${rule}`, id);
  else logger.debug(`${what}: ${status} ${rule}: ${cut(message, 500)}`, id);
}
