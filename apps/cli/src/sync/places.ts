import { createHash } from 'node:crypto';
import { withMark } from './name.ts';
import { placeOf } from './place.ts';

/** The longest and the deepest that a place may be; a path may have 4096 bytes, with the folder's own. */
const maximumLength = 1024;
const maximumDepth = 64;

/**
 * Which document has which file of a folder. No two files and no two folders have names that differ only in
 * case or normalization, and no file has the place of a folder.
 */
export class Places {
  readonly #root: string;
  readonly #files = new Set<string>();
  /** The spelling of each folder, by its key. */
  readonly #folders = new Map<string, string>();

  /** @param root the URL of the root feed */
  constructor(root: string) {
    this.#root = root;
  }

  /** A place for a document that has none yet: a relative path with `/` between its parts. */
  assign(url: string): string {
    // No other place has a part that is `%` alone.
    const alone = `_other/%/${createHash('sha256').update(url).digest('hex')}`;
    const path = this.#candidates(url).find((path) => this.#isFree(path)) ?? alone;
    this.occupy(path);
    return path;
  }

  /** Notes that a file has this place. */
  occupy(path: string): void {
    this.#files.add(key(path));
    for (const folder of foldersOf(path))
      if (!this.#folders.has(key(folder))) this.#folders.set(key(folder), folder);
  }

  /** What to try, the plainest first. */
  #candidates(url: string): readonly string[] {
    const names = placeOf(url, this.#root);
    const [last = '', folders] = [names.at(-1), names.slice(0, -1)];
    if (names.length > maximumDepth || names.join('/').length > maximumLength) return [];
    const begin = folders.reduce((path, name) => `${this.#spelling(path + name)}/`, '');
    return [begin + last, begin + withMark(last, url)];
  }

  /** A folder as it is there already, or with another name if a file has it. */
  #spelling(folder: string): string {
    const own = this.#files.has(key(folder)) ? `${folder}~folder` : folder;
    return this.#folders.get(key(own)) ?? own;
  }

  #isFree(path: string): boolean {
    return (
      !this.#files.has(key(path)) &&
      !this.#folders.has(key(path)) &&
      foldersOf(path).every((folder) => !this.#files.has(key(folder)))
    );
  }
}

/** Equal for paths that a file system could treat as one. The second lower case is for `ß`, `SS` and `ẞ`. */
function key(path: string): string {
  return path.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** The folders that a path goes through, the outermost first. */
export function foldersOf(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join('/'));
}
