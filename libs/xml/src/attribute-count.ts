import { FeedError } from './feed-error.ts';

/**
 * How many attributes an element of an item may have with the namespaces that are declared on it where it is
 * written.
 */
export const maximumVersionAttributes = 240;

/**
 * Throws `FeedError` (rule `limit-attributes`) for an element that would be written with more attributes than
 * readers take.
 */
export function checkAttributeCount(count: number): void {
  if (count <= maximumVersionAttributes) return;
  const message =
    'An element of an item has, with the namespaces that it inherits, more than ' +
    `${maximumVersionAttributes} attributes (limit "attributes").`;
  throw new FeedError({ rule: 'limit-attributes', section: 'limits', message, line: 1, column: 1 });
}
