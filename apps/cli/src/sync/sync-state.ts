import { appendFileSync, closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { CommandError, exitCode } from '../command-error.ts';
import type { MirrorDocument } from './document.ts';
import type { Folder } from './folder.ts';

/** The version of the format below. */
const version = 1;

/** What has been recorded of one document: all of it, that it is no more, or where it is about to be. */
type Line = MirrorDocument | { readonly url: string; readonly removed: true } | { readonly arriving: string };

/**
 * What a claimed folder holds of a tree: a file with a JSON text a line, in which what is recorded later counts. Lines are written at
 * once; one that a crash has cut short does not count. When the state is opened, the file is written anew with what counts.
 */
export class SyncState {
  readonly #documents = new Map<string, MirrorDocument>();
  readonly #file: string;

  /**
   * Opens the state of a folder and removes what a crash or another program has left: files that no document has, and documents whose file
   * is not as it was.
   * @throws CommandError (64) where the folder is the mirror of another tree, or its state can't be read
   */
  constructor(folder: Folder, root: string) {
    this.#file = folder.stateFile;
    const arriving = existsSync(this.#file) ? this.#read(folder.path, root) : new Set<string>();
    for (const { path, url } of [...this.#documents.values()].filter((document) => !folder.has(document))) {
      arriving.add(path);
      this.#documents.delete(url);
    }
    for (const { path } of this.#documents.values()) arriving.delete(path);
    for (const path of arriving) folder.remove(path);
    this.#writeAll(root);
  }

  get documents(): ReadonlyMap<string, MirrorDocument> {
    return this.#documents;
  }

  /** Says where a new file is about to be, so that a crash in between leaves none that nobody knows. */
  announce(path: string): void {
    this.#append({ arriving: path });
  }

  record(document: MirrorDocument): void {
    this.#documents.set(document.url, document);
    this.#append(document);
  }

  remove(url: string): void {
    this.#documents.delete(url);
    this.#append({ url, removed: true });
  }

  #append(line: Line): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** Reads all lines; answers the places where files were to arrive. */
  #read(folder: string, root: string): Set<string> {
    const arriving = new Set<string>();
    const [head, ...lines] = readFileSync(this.#file, 'utf8').split('\n').slice(0, -1).map((line, index) => this.#parse(line, index + 1));
    const found = head as { readonly version?: number; readonly root?: string } | undefined;
    if (found?.version !== version) throw new CommandError(`${this.#file} was written by another version of feedmesh; give another folder`, exitCode.usage);
    for (const line of lines as readonly Line[]) {
      if ('arriving' in line) arriving.add(line.arriving);
      else if ('removed' in line) {
        arriving.delete(this.#documents.get(line.url)?.path ?? '');
        this.#documents.delete(line.url);
      } else this.#documents.set(line.url, line);
    }
    if (found.root !== root && this.#documents.size > 0) throw new CommandError(`${folder} is the mirror of ${String(found.root)}; give each tree a folder of its own`, exitCode.usage);
    return arriving;
  }

  #parse(line: string, number: number): unknown {
    try {
      return JSON.parse(line);
    } catch (error) {
      throw new CommandError(`${this.#file} is damaged in line ${number}; without that line its document is downloaded again`, exitCode.usage, { cause: error });
    }
  }

  #writeAll(root: string): void {
    const next = `${this.#file}.next`;
    const file = openSync(next, 'w');
    for (const line of [{ version, root }, ...this.#documents.values()]) writeFileSync(file, `${JSON.stringify(line)}\n`);
    closeSync(file);
    renameSync(next, this.#file);
  }
}
