import { appendFileSync, closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { feedSize } from '#cse';
import { CommandError, exitCode } from '../command-error.ts';
import type { MirrorDocument } from './document.ts';
import { FileConflictError } from './folder.ts';
import type { Folder } from './folder.ts';
import { linesOf } from './lines.ts';
import { stateFolder } from './place.ts';

/** The version of the format below. */
const version = 1;

/** A file that is about to be in a place. Up to version 0.1.0, its digest was not recorded. */
interface Arrival {
  readonly arriving: string;
  readonly digest?: string;
}

/** What has been recorded of one document: all of it, that it is no more, or where it is about to be. */
type Line = MirrorDocument | { readonly url: string; readonly removed: true } | Arrival;

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
   * Opens the state of a folder, removes files that a crash has left without a record, and forgets documents
   * whose files are gone.
   * @param links how large all feeds may be together, as `feedSize` of `#cse` counts them: of a feed beyond
   *   that only its file is known
   * @throws CommandError (64) if the folder is the mirror of another tree, or its state can't be read
   */
  constructor(folder: Folder, root: string, links: number) {
    this.#file = folder.stateFile;
    this.#linksLeft = links;
    const arriving = existsSync(this.#file) ? this.#read(folder.path, root) : new Map<string, Arrival>();
    const recorded = new Map([...this.#documents.values()].map((document) => [document.path, document]));
    for (const arrival of arriving.values()) removeArrival(folder, arrival, recorded.get(arrival.arriving));
    for (const document of recorded.values())
      if (folder.hasLength(document) === undefined) this.#documents.delete(document.url);
    this.#writeAll(root);
  }

  get documents(): ReadonlyMap<string, MirrorDocument> {
    return this.#documents;
  }

  /** Whether of every feed it is known what it says. */
  get isWhole(): boolean {
    return [...this.#documents.values()].every(({ isUnread }) => isUnread !== true);
  }

  /** Records that a file is about to be in a place, so that a crash in between leaves none unknown. */
  announce(path: string, digest: string): void {
    this.#append({ arriving: path, digest });
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

  /** Reads all lines; returns the files that were to arrive, by their paths. */
  #read(folder: string, root: string): Map<string, Arrival> {
    const arriving = new Map<string, Arrival>();
    let found: { readonly version?: number; readonly root?: string } | undefined;
    let number = 0;
    for (const text of linesOf(this.#file)) {
      number += 1;
      const line = this.#parse(text, number);
      if (number === 1) {
        found = line as typeof found;
        if (found?.version !== version) break;
      } else this.#take(line as Line, number, arriving);
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

  #take(line: Line, number: number, arriving: Map<string, Arrival>): void {
    if ('arriving' in line) {
      this.#assertPath(line.arriving, number);
      arriving.set(line.arriving, line);
      return;
    }
    const former = this.#documents.get(line.url);
    if (former?.feed !== undefined) this.#linksLeft += feedSize(former.feed);
    if ('removed' in line) {
      arriving.delete(former?.path ?? '');
      this.#documents.delete(line.url);
      return;
    }
    this.#assertPath(line.path, number);
    arriving.delete(line.path);
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
      throw this.#damaged(number, error);
    }
  }

  /** Throws CommandError (64) for a path that leads out of the folder, or to the state. */
  #assertPath(path: unknown, number: number): void {
    const names = typeof path === 'string' ? path.split('/') : [];
    const isWrong = names.some((name) => /^\.{0,2}$|[\\:\0]/.test(name));
    if (names.length === 0 || isWrong || names[0]?.toLowerCase() === stateFolder) throw this.#damaged(number);
  }

  #damaged(number: number, cause?: unknown): CommandError {
    return new CommandError(
      `${this.#file} is damaged in line ${number}; without that line its document is downloaded again`,
      exitCode.usage,
      { cause },
    );
  }

  #writeAll(root: string): void {
    const next = `${this.#file}.next`;
    rmSync(next, { force: true });
    const file = openSync(next, 'wx');
    for (const line of [{ version, root }, ...this.#documents.values()])
      writeFileSync(file, `${JSON.stringify(line)}\n`);
    closeSync(file);
    renameSync(next, this.#file);
  }
}

/** Removes a file that has arrived, but was not recorded; one that somebody has changed since stays. */
function removeArrival(folder: Folder, arrival: Arrival, recorded: MirrorDocument | undefined): void {
  const path = arrival.arriving;
  const found = folder.digest(path);
  if (found === undefined || found === recorded?.digest) return;
  try {
    folder.remove({ path, digest: arrival.digest ?? found });
  } catch (error) {
    if (!(error instanceof FileConflictError)) throw error;
  }
}
