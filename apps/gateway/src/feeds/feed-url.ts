import type { Collection } from '#ports';

/** The window of the latest changes, or all items (FeedSync 4). */
export type FeedVariant = 'partial' | 'complete';

/** Where a collection's feed in its native format is. */
export function feedUrl(publicUrl: string, { name, format }: Pick<Collection, 'name' | 'format'>, variant: FeedVariant): string {
  return variant === 'partial' ? `${publicUrl}/feeds/${name}.${format}` : `${publicUrl}/feeds/${name}/complete.${format}`;
}
