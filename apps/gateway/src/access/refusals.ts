import { ProblemError } from '../problems/problem-error.ts';

/** How requests say who sends them (RFC 9110, 11.6.1). */
const challenge = { 'WWW-Authenticate': 'Bearer realm="Feedmesh", Basic realm="Feedmesh", charset="UTF-8"' };

/** What is thrown if a request does not say who sends it, and must: 401. */
export function unauthenticated(detail: string): ProblemError {
  return new ProblemError(401, 'unauthenticated', detail, {}, challenge);
}

/** What is thrown if what a request says of its sender is not accepted: 401. */
export function invalidCredentials(detail: string): ProblemError {
  return new ProblemError(401, 'invalid-credentials', detail, {}, challenge);
}
