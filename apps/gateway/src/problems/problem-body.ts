import type { ProblemError } from './problem-error.ts';

/** How long a text, how long a list of faults in a problem is at most, and how long a fault. */
const [textLength, faultCount, faultLength] = [4000, 20, 500];

/**
 * A problem as JSON (RFC 9457). A client can send very many and very long wrong values, so texts are cut, and
 * of its faults the first 20 are listed; `moreErrors` says how many are not.
 * @param instance the path of the request, if it is known
 */
export function problemBody(
  { rule, status, message, members }: ProblemError,
  instance?: string,
): Record<string, unknown> {
  const { errors, violations, ...others } = members;
  const title = rule.slice(0, 1).toUpperCase() + rule.slice(1).replaceAll('-', ' ');
  return {
    type: `urn:feedmesh:problem:${rule}`,
    title,
    status,
    detail: cut(message, textLength),
    ...(instance !== undefined && { instance: cut(instance, textLength) }),
    ...others,
    ...bounded('errors', 'moreErrors', errors),
    ...bounded('violations', 'moreViolations', violations),
  };
}

/** A text of at most so many characters, with an ellipsis if some are left out. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The first faults of a list, under its name, and how many more there are. */
function bounded(name: string, more: string, faults: unknown): Record<string, unknown> {
  if (!Array.isArray(faults)) return {};
  const shown = faults
    .slice(0, faultCount)
    .map((fault: unknown) => (typeof fault === 'object' && fault !== null ? withShortTexts(fault) : fault));
  return { [name]: shown, ...(faults.length > faultCount && { [more]: faults.length - faultCount }) };
}

function withShortTexts(fault: object): object {
  return Object.fromEntries(
    Object.entries(fault).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? cut(value, faultLength) : value,
    ]),
  );
}
