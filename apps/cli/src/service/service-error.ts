import { CommandError, exitCode } from '../command-error.ts';
import { printable } from '../terminal/text.ts';

/** A problem of RFC 9457, as far as Feedmesh's services fill it in. */
export interface Problem {
  /** `urn:feedmesh:problem:` and the rule. */
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  /** What was wrong, one by one. */
  readonly errors?: readonly Remark[];
  readonly violations?: readonly Remark[];
}

interface Remark {
  readonly message?: string;
  readonly path?: string | readonly (string | number)[];
  readonly rule?: string;
  readonly line?: number;
  readonly column?: number;
}

/** The service could not be reached, or what answered is not Feedmesh. */
export class UnreachableError extends CommandError {
  override readonly name = 'UnreachableError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, exitCode.refused, options);
  }
}

/**
 * The service answered with a problem: `title: detail [rule]`, then a line for each error that the detail
 * does not tell. The exit code of an edit that was made for another revision is one of its own.
 */
export class ServiceProblemError extends CommandError {
  override readonly name = 'ServiceProblemError';
  /** The HTTP status. */
  readonly status: number;
  /** Such as `collection-not-found`; undefined if what answered gave none. */
  readonly rule: string | undefined;

  /** @param retryAfter the value of the header Retry-After */
  constructor(status: number, problem: Problem, retryAfter?: string) {
    const rule = /^urn:feedmesh:problem:(.+)$/.exec(problem.type ?? '')?.[1];
    const heading = [problem.title ?? `HTTP ${status}`, problem.detail]
      .filter((part) => part !== undefined)
      .map(printable)
      .join(': ');
    const remarks = [...(problem.errors ?? []), ...(problem.violations ?? [])].filter(
      ({ message = '' }) => !(problem.detail ?? '').includes(message),
    );
    const retry = /^[0-9]{1,9}$/.test(retryAfter ?? '') ? ` Try again in ${retryAfter} s.` : '';
    const first = `${heading}${retry}${rule === undefined ? '' : ` [${printable(rule)}]`}`;
    super(
      [first, ...remarks.map((remark) => `  ${remarkLine(remark)}`)].join('\n'),
      status === 412 ? exitCode.changed : exitCode.refused,
    );
    this.status = status;
    this.rule = rule;
  }
}

function remarkLine({ message, path, rule, line, column }: Remark): string {
  const place = line === undefined ? (Array.isArray(path) ? path.join('.') : path) : `${line}:${column ?? 1}`;
  const text =
    `${place === undefined || place === '' ? '' : `${String(place)}: `}${message ?? 'invalid'}` +
    (rule === undefined ? '' : ` [${rule}]`);
  return printable(text);
}
