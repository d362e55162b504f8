import { TooManyConflictsError } from '#core';
import type { Steps } from '#core';

/** A version of an item that stands for everything that these sources contain. */
export interface UnitedVersion<Content, Source> {
  readonly content: Content;
  readonly sources: readonly [Source, ...Source[]];
}

/**
 * Merges versions of one item with each other, two by two: each merge takes time for all conflicts of the
 * item, so merging many versions one by one takes time in the square of their number. Two versions that
 * would have too many conflicts together stay apart.
 */
export function* uniteVersions<Content, Source>(
  versions: readonly UnitedVersion<Content, Source>[],
  merge: (one: Content, other: Content) => Content,
): Steps<readonly UnitedVersion<Content, Source>[]> {
  const apart: UnitedVersion<Content, Source>[] = [];
  let rest = versions;
  while (rest.length > 1) {
    const halves: UnitedVersion<Content, Source>[] = [];
    for (let place = 0; place < rest.length; place += 2) {
      const [one, other] = rest.slice(place, place + 2);
      if (one === undefined || other === undefined) halves.push(...rest.slice(place));
      else {
        yield;
        try {
          const content = merge(one.content, other.content);
          halves.push({ content, sources: [...one.sources, ...other.sources] });
        } catch (error) {
          if (!(error instanceof TooManyConflictsError)) throw error;
          apart.push(one);
          halves.push(other);
        }
      }
    }
    rest = halves;
  }
  return [...apart, ...rest];
}
