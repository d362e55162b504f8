import { Catch, Logger } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { TenantLimitError, UnavailableError } from '#core';
import { countRefusal } from '#service';
import { changeOf } from '../audit/change-in-progress.ts';
import { isCallback, shownPath } from '../requests/shown-path.ts';
import type { ProblemError } from './problem-error.ts';
import { cut } from './problem-body.ts';
import { problemOf } from './problem-of.ts';
import { sendProblem } from './send-problem.ts';

/**
 * Responds to every error with `application/problem+json` (RFC 9457). A response that has begun is cut off.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #logger = new Logger(ProblemFilter.name);

  /** @param retrySeconds after which clients are to try again what is not available */
  constructor(private readonly retrySeconds: number) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const problem = problemOf(error);
    this.#log(error, problem, request);
    if (error instanceof TenantLimitError) countRefusal(error.limit.tenant, error.limit.what);
    const change = changeOf(request);
    if (change !== undefined) change.problem = problem.rule;
    if (response.headersSent) return void response.destroy();
    sendProblem(request, response, problem, this.retrySeconds);
  }

  /**
   * An outage, and what a client did wrong, is known from its message; an error that nobody foresaw has its
   * stack.
   */
  #log(error: unknown, { status, rule, message }: ProblemError, { method, path, res }: Request): void {
    const request = `${method} ${shownPath(path)}`;
    const id = { request_id: res?.getHeader('x-request-id') };
    if (error instanceof UnavailableError) this.#logger.warn(`${request}: ${error.message}`, id);
    else if (status >= 500) {
      this.#logger.error(`${request}: ${error instanceof Error ? error.stack : String(error)}`, id);
    } else if (isCallback(path)) this.#logger.debug(`${request}: ${status} ${rule}`, id);
    else this.#logger.debug(`${request}: ${status} ${rule}: ${cut(message, 500)}`, id);
  }
}
