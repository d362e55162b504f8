import { ProblemError } from '../problems/problem-error.ts';

export function noSuchLetter(id: string): ProblemError {
  return new ProblemError(404, 'dead-letter-not-found', `There is no dead letter "${id}".`);
}
