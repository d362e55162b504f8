import type { Lease, Publication, Store } from '#core';

/** Another publisher took over; what this one has not published yet, that one will. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** Records how far a collection is published, and returns that. Throws `LeaseLostError`. */
export async function advancePublication(
  { collections }: Pick<Store, 'collections'>,
  lease: Lease,
  publication: Publication,
): Promise<Publication> {
  if (!(await collections.advance(lease, publication))) throw new LeaseLostError();
  return publication;
}
