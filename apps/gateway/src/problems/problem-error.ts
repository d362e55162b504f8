import type { ProblemRule } from '#contracts';
/** One wrong value of a request. */
export interface InputFault {
  /** Such as `body.settings.windowItems` or `query.limit`. */
  readonly path: string;
  readonly message: string;
}

/** A request that is refused, as an RFC 9457 problem. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** Stays the same over versions, such as `collection-not-found`; the last part of the problem's `type`. */
  readonly rule: ProblemRule;
  /** Further members of the problem. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Further headers of the response. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    rule: ProblemRule,
    detail: string,
    members: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.status = status;
    this.rule = rule;
    this.members = members;
    this.headers = headers;
  }
}

/** How many faults the detail of a problem names; `errors` has more of them. */
const namedFaults = 5;

/** A request with wrong values: status 400, with them in `errors`. */
export function invalidInput(faults: readonly InputFault[]): ProblemError {
  const named = faults
    .slice(0, namedFaults)
    .map(({ path, message }) => `${path}: ${message}`)
    .join('; ');
  const more = faults.length > namedFaults ? `; and ${faults.length - namedFaults} more` : '';
  return new ProblemError(400, 'invalid-input', `${named}${more}`, { errors: faults });
}
