import { beforeExtension, nameOf } from './name.ts';

/** Where documents go that are not below the root feed's own directory. */
const otherFolder = '_other';
/** Where the state of a mirror is kept, in its folder. */
export const stateFolder = '.feedmesh-sync';

/**
 * Where a document would go in the folder, as the parts of a relative path: below the root feed's own
 * directory at the same place, others by their host below `_other`. Two URLs may get the same answer;
 * `Places` sees to that.
 */
export function placeOf(url: string, root: string): readonly string[] {
  const { protocol, host, pathname, search } = new URL(url);
  const rootUrl = new URL(root);
  const ownDirectory = rootUrl.pathname.slice(0, rootUrl.pathname.lastIndexOf('/') + 1);
  const isOwn = protocol === rootUrl.protocol && host === rootUrl.host && pathname.startsWith(ownDirectory);
  const segments = (isOwn ? pathname.slice(ownDirectory.length) : pathname.slice(1)).split('/');
  const last = segments.pop() ?? '';
  const file = beforeExtension(
    last === '' ? 'index' : last,
    search === '' ? '' : `@${search.slice(1).replaceAll('/', '%2F')}`,
  );
  const names = [...segments, file].map(nameOf);
  if (!isOwn) return [otherFolder, nameOf(host), ...names];
  const [first = '', ...rest] = names;
  return [first.toLowerCase() === otherFolder ? `%5F${first.slice(1)}` : first, ...rest];
}
