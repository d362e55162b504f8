import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { parseCursor } from '#contracts';
import type { CollectionKey } from '#core';
import { pieceBytes } from '../requests/client-writer.ts';
import { ChangesReader } from './changes-reader.ts';
import { eventsText } from './events-text.ts';
import { PublicationWatch } from './publication-watch.ts';

/** How many bytes of changes are held for streams while their clients read. */
export const streamBytes = 32_768;

/** How many changes are read at once. */
export const batch = 100;

/** After how many milliseconds without changes clients get a heartbeat. */
export const heartbeat = 15_000;

export const nothingNew = Buffer.from(': nothing new\n\n');

/** A stream whose client has been sent everything up to the cursor of its group. */
interface Member {
  readonly response: Response;
  group: Group;
  /** Ends its membership: it goes on from this cursor by itself, or fails. */
  readonly end: (cursor: string, error?: Error) => void;
}

/** The streams of a collection that wait for the changes after the same cursor. */
interface Group {
  readonly key: CollectionKey;
  readonly members: Set<Member>;
  /** Aborted once it has no members: nobody waits any more. */
  readonly emptied: AbortController;
  cursor: string;
}

/**
 * Sends changes to all streams that have had everything so far: those of a collection are one waiter, with
 * one read and one text for each page of changes. A stream by itself costs a write, and no timer.
 */
@Injectable()
export class LiveStreams {
  readonly #watch: PublicationWatch;
  readonly #reader: ChangesReader;
  readonly #groups = new Map<string, Group>();

  constructor(watch: PublicationWatch, reader: ChangesReader) {
    this.#watch = watch;
    this.#reader = reader;
  }

  /**
   * Sends what is published after a cursor, as it is published, until the client reads more slowly, goes
   * away, or the gateway shuts down. Returns the cursor to go on from; throws what `ChangesReader.read` does.
   */
  follow(key: CollectionKey, cursor: string, response: Response): Promise<string> {
    return new Promise((resolve, reject) => {
      const group = this.#groupAt(key, cursor);
      const close = (): void => member.end(group.cursor);
      const member: Member = {
        response,
        group,
        end: (next, error) => {
          response.off('close', close);
          const { members, emptied } = member.group;
          members.delete(member);
          if (members.size === 0) emptied.abort();
          if (error === undefined) resolve(next);
          else reject(error);
        },
      };
      response.once('close', close);
      group.members.add(member);
    });
  }

  #groupAt(key: CollectionKey, cursor: string): Group {
    const found = this.#groups.get(groupName(key, cursor));
    if (found !== undefined && !found.emptied.signal.aborted) return found;
    const group: Group = { key, cursor, members: new Set(), emptied: new AbortController() };
    this.#groups.set(groupName(key, cursor), group);
    void this.#serve(group);
    return group;
  }

  async #serve(group: Group): Promise<void> {
    let failure: Error | undefined;
    try {
      while (await this.#sendNext(group));
    } catch (error) {
      failure = error as Error;
    }
    this.#remove(group);
    for (const { end } of group.members) end(group.cursor, failure);
  }

  /** Sends what comes next, or that nothing has come; returns false once there is nobody to send to. */
  async #sendNext(group: Group): Promise<boolean> {
    const { key, cursor, emptied } = group;
    const isNewer = await this.#watch.newer(key, parseCursor(cursor) ?? 0, heartbeat, emptied.signal);
    if (emptied.signal.aborted || this.#watch.closed) return false;
    if (!isNewer) {
      send(group, nothingNew, cursor);
      return true;
    }
    for (let isLast = false; !isLast;) {
      const page = await this.#reader.read(key, group.cursor, batch, streamBytes);
      const text = eventsText(page.view);
      // A text of several pieces is written piece by piece, by each stream for itself.
      if (text.length > pieceBytes) return false;
      ({ isLast } = page);
      this.#remove(group);
      send(group, text, page.view.next);
      if (!this.#move(group)) return false;
    }
    return true;
  }

  /** Has a group wait at its cursor; returns false if another one waits there, which has its members then. */
  #move(group: Group): boolean {
    const name = groupName(group.key, group.cursor);
    const other = this.#groups.get(name);
    if (other === undefined || other.emptied.signal.aborted) {
      this.#groups.set(name, group);
      return true;
    }
    for (const member of group.members) {
      member.group = other;
      other.members.add(member);
    }
    group.members.clear();
    return false;
  }

  #remove(group: Group): void {
    const name = groupName(group.key, group.cursor);
    if (this.#groups.get(name) === group) this.#groups.delete(name);
  }
}

function groupName(key: CollectionKey, cursor: string): string {
  return `${key} ${cursor}`;
}

/** Writes a text to all members, with which they are at a cursor; those that have enough for now leave. */
function send(group: Group, text: Uint8Array, cursor: string): void {
  group.cursor = cursor;
  for (const { response, end } of group.members)
    if (response.destroyed || (text.length > 0 && !response.write(text))) end(cursor);
}
