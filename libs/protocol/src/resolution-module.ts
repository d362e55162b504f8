import type { ItemJson } from './item-json.ts';

/** A resolution that the operator wrote. */
export interface ResolutionModule {
  /** The SHA-256 of its file, hexadecimal: endpoints with other files write other versions. */
  readonly digest: string;
  /**
   * Gets all versions of one item, the winner first; returns the place of the one whose state becomes the
   * item's, or `{ data: ItemFields }`. It must depend on its argument alone. May throw.
   */
  choose(versions: readonly ItemJson[]): unknown;
}

/** By the names that collections call them by: letters, digits and "-". */
export type ResolutionModules = ReadonlyMap<string, ResolutionModule>;
