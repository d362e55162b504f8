import { HttpException } from '@nestjs/common';
import { EditError as EngineEditError, EditLimitError, ResolutionError } from '#feedsync';
import { FeedError } from '#xml';
import {
  EditError,
  ItemExistsError,
  ItemNotFoundError,
  ItemStateError,
  KeyReusedError,
  PublishedLengthError,
  RevisionMismatchError,
} from '#items';
import { ItemSizeError, UnavailableError } from '#core';
import { ProblemError } from './problem-error.ts';

/**
 * The problem that an error stands for; for one that nobody foresaw status 500, which tells nothing of the
 * inside.
 */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof ItemNotFoundError) return new ProblemError(404, 'item-not-found', error.message);
  if (error instanceof ItemExistsError) return new ProblemError(409, 'item-exists', error.message);
  if (error instanceof ItemStateError) return new ProblemError(409, 'item-state', error.message);
  if (error instanceof RevisionMismatchError)
    return new ProblemError(412, 'revision-mismatch', error.message);
  if (error instanceof KeyReusedError) return new ProblemError(422, 'idempotency-key-reused', error.message);
  if (error instanceof ItemSizeError || error instanceof PublishedLengthError)
    return new ProblemError(413, 'item-too-large', error.message);
  if (error instanceof EditError) return new ProblemError(422, 'invalid-edit', error.message);
  if (error instanceof FeedError)
    return new ProblemError(422, 'invalid-xml', error.message, { violations: [error.violation] });
  if (error instanceof ResolutionError) return new ProblemError(422, 'invalid-resolution', error.message);
  if (error instanceof EditLimitError) return new ProblemError(422, 'edit-limit', error.message);
  if (error instanceof EngineEditError) return new ProblemError(422, 'invalid-edit', error.message);
  if (error instanceof UnavailableError) return outageProblem(error);
  if (error instanceof HttpException) return problemOfStatus(error);
  return new ProblemError(
    500,
    'internal-error',
    'Something went wrong here. It is in the log of the gateway.',
  );
}

function outageProblem({ database, stored }: UnavailableError): ProblemError {
  if (stored === 'none') {
    return new ProblemError(503, 'unavailable', `${database} is not available. Nothing was changed.`);
  }
  return new ProblemError(
    503,
    'outcome-unknown',
    [
      `${database} did not confirm what this request writes: all of it, a part or nothing may be stored.`,
      'Send it again, an edit of an item with the same Idempotency-Key if it had one, or read what it ' +
        'was to change.',
    ].join(' '),
  );
}

function problemOfStatus(error: HttpException): ProblemError {
  const status = error.getStatus();
  if (status === 404)
    return new ProblemError(404, 'not-found', `${error.message}. GET / lists what there is.`);
  return new ProblemError(status, status < 500 ? 'bad-request' : 'internal-error', error.message);
}
