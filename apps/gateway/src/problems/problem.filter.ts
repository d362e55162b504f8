import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { answerError } from './answer-error.ts';

/** Responds to every error with a problem. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  /** @param retrySeconds after which clients are to try again what is not available */
  constructor(private readonly retrySeconds: number) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerError(http.getRequest<Request>(), http.getResponse<Response>(), error, this.retrySeconds);
  }
}
