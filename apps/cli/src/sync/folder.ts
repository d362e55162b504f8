import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { asFailure } from '../cause.ts';
import type { MirrorDocument } from './document.ts';
import { fileDigest } from './file-digest.ts';
import { stateFolder } from './place.ts';
import { foldersOf } from './places.ts';

/** A place in the folder has something that `sync` did not write, or that was changed since. */
export class FileConflictError extends Error {
  override readonly name = 'FileConflictError';
  readonly rule = 'file-conflict';

  constructor(path: string, isKnown: boolean) {
    const fault = isKnown ? 'has changed since sync wrote it' : 'was not written by sync';
    super(`"${path}" in the folder ${fault}, so it is left as it is; move it away and run sync again`);
  }
}

/**
 * The files of a mirror. Paths are relative to it, with `/` between their parts. Nothing is replaced or
 * removed but files that `sync` wrote and nobody has changed, and no symbolic link below it is followed.
 */
export class Folder {
  readonly path: string;
  /** Where the state of the mirror is written. */
  readonly stateFile: string;
  readonly #incoming: string;
  #incomingCount = 0;

  /** Opens a locked folder, and removes what an earlier run had begun to write. */
  constructor(path: string) {
    this.path = path;
    this.stateFile = join(path, stateFolder, 'documents.jsonl');
    this.#incoming = join(path, stateFolder, 'incoming');
    rmSync(this.#incoming, { recursive: true, force: true });
    mkdirSync(this.#incoming);
  }

  /** Whether a file still has the length that was recorded; undefined if nothing is at its place. */
  hasLength({ path, length }: Pick<MirrorDocument, 'path' | 'length'>): boolean | undefined {
    const entry = lstatSync(join(this.path, path), { throwIfNoEntry: false });
    return entry && entry.isFile() && entry.size === length;
  }

  /** A new place to write to, from where `accept` or `reject` takes it. */
  incoming(): string {
    this.#incomingCount += 1;
    return join(this.#incoming, String(this.#incomingCount));
  }

  /**
   * Checks that a file has this SHA-256, or that its place is free.
   * @throws FileConflictError
   */
  assertHas(path: string, digest: string | undefined): void {
    const found = this.digest(path);
    if (found !== digest) throw new FileConflictError(path, found !== undefined && digest !== undefined);
  }

  /** The SHA-256 of the file at a place; `other` if it is something else, undefined if nothing is there. */
  digest(path: string): string | undefined {
    for (const folder of foldersOf(path)) {
      const entry = lstatSync(join(this.path, folder), { throwIfNoEntry: false });
      if (entry === undefined) return undefined;
      if (!entry.isDirectory()) return 'other';
    }
    return fileDigest(join(this.path, path));
  }

  /** Puts a file in a place that `assertHas` has checked, in one step. */
  accept(incoming: string, path: string, isNew: boolean): void {
    const file = join(this.path, path);
    mkdirSync(dirname(file), { recursive: true });
    if (isNew) moveToFreePlace(incoming, file);
    else renameSync(incoming, file);
  }

  reject(incoming: string): void {
    rmSync(incoming, { force: true });
  }

  /**
   * Removes a file, unless it is gone, and the folders that are empty then.
   * @throws FileConflictError if it has changed
   */
  remove({ path, digest }: Pick<MirrorDocument, 'path' | 'digest'>): void {
    if (this.digest(path) !== undefined) {
      this.assertHas(path, digest);
      unlinkSync(join(this.path, path));
    }
    this.#removeEmpty(path);
  }

  #removeEmpty(path: string): void {
    for (const folder of foldersOf(path).toReversed()) {
      const full = join(this.path, folder);
      const entry = lstatSync(full, { throwIfNoEntry: false });
      if (entry === undefined) continue;
      if (!entry.isDirectory() || readdirSync(full).length > 0) return;
      rmdirSync(full);
    }
  }
}

/** Unlike a renaming, a link replaces nothing that came to its place meanwhile. */
function moveToFreePlace(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // A file system without hard links, such as exFAT.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(asFailure(error).code ?? '')) throw error;
    renameSync(from, to);
    return;
  }
  unlinkSync(from);
}
