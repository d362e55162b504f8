import { Catch, Logger } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ProblemError } from './problem-error.ts';
import { problemOf } from './problem-of.ts';

/** Answers every error as `application/problem+json` (RFC 9457). An answer that has begun is cut off instead. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #logger = new Logger(ProblemFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const problem = problemOf(error);
    if (problem.status >= 500) this.#logger.error(`${request.method} ${request.path}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    if (response.headersSent) response.destroy();
    else response.status(problem.status).type('application/problem+json').send(JSON.stringify(problemBody(problem, request.originalUrl)));
  }
}

function problemBody({ rule, status, message, members }: ProblemError, instance: string): Record<string, unknown> {
  const title = rule.slice(0, 1).toUpperCase() + rule.slice(1).replaceAll('-', ' ');
  return { type: `urn:feedmesh:problem:${rule}`, title, status, detail: message, instance, ...members };
}
