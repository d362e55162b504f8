import { createHash } from 'node:crypto';
import { withMark } from './name.ts';
import { placeOf } from './place.ts';

/** The longest and the deepest that a place may be; a path may have 4096 bytes, with the folder's own. */
const maximumLength = 1024;
const maximumDepth = 64;

/**
 * Which document has which file of a folder. No two have the same, also if the file system does not tell
 * upper from lower case, and no file stands where others need a folder.
 */
export class Places {
  readonly #root: string;
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** @param root the URL of the root feed */
  constructor(root: string) {
    this.#root = root;
  }

  /** A place for a document that has none yet: a relative path with `/` between its parts. */
  assign(url: string): string {
    const names = placeOf(url, this.#root);
    const path = this.#candidates(names, url).find((path) => this.#isFree(path)) ?? names.join('/');
    this.occupy(path);
    return path;
  }

  /** Notes that a file has this place. */
  occupy(path: string): void {
    this.#files.add(key(path));
    for (const folder of foldersOf(key(path))) this.#folders.add(folder);
  }

  /** What to try, the plainest first; the last one has nobody else. */
  #candidates(names: readonly string[], url: string): readonly string[] {
    const [last = '', folders] = [names.at(-1), names.slice(0, -1)];
    const cleared = folders.map((name, index) =>
      this.#files.has(key(names.slice(0, index + 1).join('/'))) ? `${name}~folder` : name,
    );
    const plain = [...cleared, last].join('/');
    const alone = `_other/~/${createHash('sha256').update(url).digest('hex')}`;
    return plain.length > maximumLength || names.length > maximumDepth
      ? [alone]
      : [plain, [...cleared, withMark(last, url)].join('/'), alone];
  }

  #isFree(path: string): boolean {
    return (
      !this.#files.has(key(path)) &&
      !this.#folders.has(key(path)) &&
      foldersOf(key(path)).every((folder) => !this.#files.has(folder))
    );
  }
}

function key(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function foldersOf(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join('/'));
}
