/** The connection string can never be used, or not with these options; the message says why. */
export class StoreAddressError extends Error {
  override readonly name = 'StoreAddressError';
}
