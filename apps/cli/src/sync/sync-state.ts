import { appendFileSync, closeSync, existsSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { feedSize } from '#cse';
import { CommandError, exitCode } from '../command-error.ts';
import type { MirrorDocument } from './document.ts';
import type { Folder } from './folder.ts';
import { linesOf } from './lines.ts';

/** The version of the format below. */
const version = 1;

/** What has been recorded of one document: all of it, that it is no more, or where it is about to be. */
type Line = MirrorDocument | { readonly url: string; readonly removed: true } | { readonly arriving: string };

/**
 * What a locked folder holds of a tree: a file with a JSON text a line, in which what is recorded later
 * counts. Lines are written at once; one that a crash has cut short does not count. When the state is opened,
 * the file is written anew with what counts.
 */
export class SyncState {
  readonly #documents = new Map<string, MirrorDocument>();
  readonly #file: string;
  /** How large feeds may be that are still to be read. */
  #linksLeft: number;

  /**
   * Opens the state of a folder and removes what a crash or another program has left: files that no document
   * has, and documents whose file is not as it was.
   * @param links how large all feeds may be together, as `feedSize` of `#cse` counts them: of a feed beyond
   *   that only its file is known
   * @throws CommandError (64) if the folder is the mirror of another tree, or its state can't be read
   */
  constructor(folder: Folder, root: string, links: number) {
    this.#file = folder.stateFile;
    this.#linksLeft = links;
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

  /** Whether of every feed it is known what it says. */
  get isWhole(): boolean {
    return [...this.#documents.values()].every(({ isUnread }) => isUnread !== true);
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

  /** Reads all lines; returns the places where files were to arrive. */
  #read(folder: string, root: string): Set<string> {
    const arriving = new Set<string>();
    let found: { readonly version?: number; readonly root?: string } | undefined;
    let number = 0;
    for (const text of linesOf(this.#file)) {
      number += 1;
      const line = this.#parse(text, number);
      if (number === 1) {
        found = line as typeof found;
        if (found?.version !== version) break;
      } else this.#take(line as Line, arriving);
    }
    if (found?.version !== version)
      throw new CommandError(
        `${this.#file} was written by another version of feedmesh; give another folder`,
        exitCode.usage,
      );
    if (found.root !== root && this.#documents.size > 0)
      throw new CommandError(
        `${folder} is the mirror of ${String(found.root)}; give each tree a folder of its own`,
        exitCode.usage,
      );
    return arriving;
  }

  #take(line: Line, arriving: Set<string>): void {
    if ('arriving' in line) {
      arriving.add(line.arriving);
      return;
    }
    const former = this.#documents.get(line.url);
    if (former?.feed !== undefined) this.#linksLeft += feedSize(former.feed);
    if ('removed' in line) {
      arriving.delete(former?.path ?? '');
      this.#documents.delete(line.url);
      return;
    }
    this.#documents.set(line.url, this.#withoutLargeFeed(line));
  }

  /** A document without what it says as a feed if that is too large. */
  #withoutLargeFeed(document: MirrorDocument): MirrorDocument {
    if (document.feed === undefined) return document;
    const size = feedSize(document.feed);
    if (size <= this.#linksLeft) {
      this.#linksLeft -= size;
      return document;
    }
    const { feed: _feed, ...rest } = document;
    return { ...rest, isUnread: true };
  }

  #parse(line: string, number: number): unknown {
    try {
      return JSON.parse(line);
    } catch (error) {
      throw new CommandError(
        `${this.#file} is damaged in line ${number}; without that line its document is downloaded again`,
        exitCode.usage,
        { cause: error },
      );
    }
  }

  #writeAll(root: string): void {
    const next = `${this.#file}.next`;
    const file = openSync(next, 'w');
    for (const line of [{ version, root }, ...this.#documents.values()])
      writeFileSync(file, `${JSON.stringify(line)}\n`);
    closeSync(file);
    renameSync(next, this.#file);
  }
}
