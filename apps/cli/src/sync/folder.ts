import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MirrorDocument } from './document.ts';
import { stateFolder } from './place.ts';

/** The files of a mirror. Paths are relative to it, with `/` between their parts. */
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

  /** Whether the file of a document is there, with the length that was recorded. */
  has({ path, length }: MirrorDocument): boolean {
    const file = statSync(join(this.path, path), { throwIfNoEntry: false });
    return file !== undefined && file.isFile() && file.size === length;
  }

  /** A new place to write to, from where `accept` or `reject` takes it. */
  incoming(): string {
    this.#incomingCount += 1;
    return join(this.#incoming, String(this.#incomingCount));
  }

  /** Puts what was written in its place, in one step. */
  accept(incoming: string, path: string): void {
    const file = join(this.path, path);
    mkdirSync(dirname(file), { recursive: true });
    renameSync(incoming, file);
  }

  reject(incoming: string): void {
    rmSync(incoming, { force: true });
  }

  /** Removes a file and the folders that are empty then. */
  remove(path: string): void {
    rmSync(join(this.path, path), { force: true });
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      const full = join(this.path, folder);
      if (!existsSync(full)) continue;
      if (readdirSync(full).length > 0) return;
      rmdirSync(full);
    }
  }
}
