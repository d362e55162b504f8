/**
 * For how many milliseconds what the store says of keys and tenants holds: less than the second within which
 * a key that is revoked, and a tenant that is suspended, get nothing any more.
 */
export const accessAge = 400;
