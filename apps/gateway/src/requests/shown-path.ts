/** Where hubs call: what follows is known to one hub alone. */
const callback = /^(\/+websub)\/.*/is;

/** A path as logs and problems show it: that of a callback of a hub without its token. */
export function shownPath(path: string): string {
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
