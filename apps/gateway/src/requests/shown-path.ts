/** Where hubs call: what follows is known to one hub alone. */
const callback = /^(\/+websub)\/.*/is;

/** Where a secret address begins, which has a key in it. */
const secretAddress = /^\/+r(?:\/|$)/is;

/**
 * A path as logs and problems show it: that of a callback of a hub, and a secret address, without the secret.
 */
export function shownPath(path: string): string {
  if (secretAddress.test(decoded(path))) return '/r/…';
  return isCallback(path) ? '/websub/…' : path;
}

/** Whether a path, however it is encoded, is that of a callback. */
export function isCallback(path: string): boolean {
  return callback.test(decoded(path));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
