import type { Lease, Publication, Store } from '#core';

/** Another publisher took over; what this one has not published yet, that one will. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/**
 * Records how far a collection is published, and returns that. Throws `LeaseLostError`.
 * @param purgeAt the earliest time at which the purge may find something to do because of it, if ever
 */
export async function advancePublication(
  { collections }: Pick<Store, 'collections'>,
  lease: Lease,
  publication: Publication,
  purgeAt?: Date,
): Promise<Publication> {
  if (!(await collections.advance(lease, publication, purgeAt))) throw new LeaseLostError();
  return publication;
}
