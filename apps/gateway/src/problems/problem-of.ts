import { HttpException } from '@nestjs/common';
import { ResolutionError } from '#feedsync';
import { EditError } from '#core';
import { FeedError } from '#xml';
import { PublishedLengthError } from '#items';
import type { ProblemRule } from '#contracts';
import { ItemSizeError, TenantLimitError, UnavailableError } from '#core';
import { shownPath } from '../requests/shown-path.ts';
import { ProblemError } from './problem-error.ts';

/**
 * The problem that an error stands for; for one that nobody foresaw status 500, which tells nothing of the
 * inside.
 */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof ItemSizeError || error instanceof PublishedLengthError)
    return new ProblemError(413, 'item-too-large', error.message);
  if (error instanceof TenantLimitError) return new ProblemError(403, 'tenant-limit', error.message);
  if (error instanceof EditError) return refusedEdit(error);
  if (error instanceof FeedError)
    return new ProblemError(422, 'invalid-xml', error.message, { violations: [error.violation] });
  if (error instanceof ResolutionError) return new ProblemError(422, 'invalid-resolution', error.message);
  if (error instanceof UnavailableError) return outageProblem(error);
  if (error instanceof HttpException) return problemOfStatus(error);
  return new ProblemError(
    500,
    'internal-error',
    'Something went wrong here. It is in the log of the gateway.',
  );
}

/** The problem for an edit that breaks a rule; 422 `invalid-edit` for any other rule. */
const refusals: Readonly<Record<string, readonly [status: number, rule: ProblemRule]>> = {
  'item-not-found': [404, 'item-not-found'],
  'item-exists': [409, 'item-exists'],
  'item-state': [409, 'item-state'],
  'revision-mismatch': [412, 'revision-mismatch'],
  'idempotency-key-reused': [422, 'idempotency-key-reused'],
  'count-limit': [422, 'edit-limit'],
};

function refusedEdit({ rule, message }: EditError): ProblemError {
  const [status, problem] = refusals[rule] ?? [422, 'invalid-edit'];
  return new ProblemError(status, problem, message);
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
    return new ProblemError(
      404,
      'not-found',
      `${error.message.replace(/(?<=^Cannot [A-Z]+ ).*$/s, shownPath)}. GET / lists what there is.`,
    );
  return new ProblemError(status, status < 500 ? 'bad-request' : 'internal-error', error.message);
}
