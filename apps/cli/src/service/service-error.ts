import type { ProblemView } from '#contracts';
import { CommandError, exitCode } from '../command-error.ts';
import { printable } from '../terminal/text.ts';

/** A problem of RFC 9457, as far as what responds fills it in. */
export type Problem = Partial<ProblemView>;

type Remark = NonNullable<Problem['errors']>[number] | NonNullable<Problem['violations']>[number];

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
      ({ message }) => !(problem.detail ?? '').includes(message),
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

function remarkLine(remark: Remark): string {
  return printable(
    'path' in remark
      ? `${remark.path === '' ? '' : `${remark.path}: `}${remark.message}`
      : `${remark.line}:${remark.column}: ${remark.message} [${remark.rule}]`,
  );
}
