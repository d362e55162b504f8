import type { DeadLetterView } from '#contracts';
import { pathSegment } from '#contracts';
import type { Service } from './service.ts';

/** The dead letters of a collection, or all. Throws as `Service` does. */
export function deadLetters(
  service: Service,
  collection: string | undefined,
): AsyncGenerator<DeadLetterView> {
  return service.list(
    `/v1/dead-letters${collection === undefined ? '' : `?${new URLSearchParams({ collection }).toString()}`}`,
  );
}

export function deadLetterPath(id: string): string {
  return `/v1/dead-letters/${pathSegment(id)}`;
}
