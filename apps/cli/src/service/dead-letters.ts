import type { DeadLetterView } from '#contracts';
import { pathSegment } from '#contracts';
import type { Service } from './service.ts';

/** Which dead letters are meant: all of them if it is empty. */
export interface DeadLetterFilter {
  readonly collection?: string;
  /** Which rule was broken. */
  readonly rule?: string;
}

/** The dead letters of a filter. Throws as `Service` does. */
export function deadLetters(service: Service, filter: DeadLetterFilter): AsyncGenerator<DeadLetterView> {
  return service.list(deadLettersPath(filter));
}

/** The path of the dead letters of a filter, or of something that is done with them, from a cursor on. */
export function deadLettersPath({ collection, rule }: DeadLetterFilter, part = '', cursor?: string): string {
  const given = Object.entries({ collection, rule, cursor }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const query = new URLSearchParams(given).toString();
  return `/v1/dead-letters${part}${query === '' ? '' : `?${query}`}`;
}

export function deadLetterPath(id: string): string {
  return `/v1/dead-letters/${pathSegment(id)}`;
}
