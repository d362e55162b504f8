import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { permits } from '#core';
import type { Collection, Grant } from '#core';
import type { Principal } from '../access/principal.ts';
import { administersAll } from '../access/suspended-tenants.ts';
import { readableCollections } from '../collections/readable-collections.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { mostCollections, parsePlaces, tooManyCollections } from './all-cursor.ts';
import type { ChangeSource } from './change-source.ts';
import { ChangesReader } from './changes-reader.ts';
import { allEventsText } from './events-text.ts';
import { heartbeat, nothingNew } from './live-streams.ts';
import { PublicationWatch } from './publication-watch.ts';
import { readAllChanges } from './read-all-changes.ts';

/** Milliseconds between two looks for new collections. */
const look = 2_000;

/** Lists the collections that a client follows. */
type ListCollections = () => Promise<readonly Collection[]>;

/** The changes of all collections that a caller may read, also of those that are created meanwhile. */
@Injectable()
export class AllChanges {
  /** The lists that are being read, each for all who want the same. */
  readonly #lists = new Map<string, Promise<readonly Collection[]>>();

  constructor(
    @Inject(gatewayPorts) private readonly ports: GatewayPorts,
    private readonly watch: PublicationWatch,
    private readonly reader: ChangesReader,
  ) {}

  /** @param scope which of the collections: a name, what names begin with and `*`, or `*` */
  of(caller: Principal, scope = '*'): ChangeSource {
    const list: ListCollections = () => this.#list(caller, scope);
    return {
      name: 'all collections',
      read: async (cursor, limit, bytes) =>
        readAllChanges(this.reader, await list(), cursor, { limit, bytes }),
      newer: (cursor, milliseconds, signal) => this.#newer(list, cursor, milliseconds, signal),
      follow: (cursor, response, signal) => this.#follow(list, cursor, response, signal),
      text: allEventsText,
    };
  }

  /** Throws `ProblemError` 400 for too many. */
  async #list({ grants }: Principal, scope: string): Promise<readonly Collection[]> {
    const listed = await this.#shared(
      scope === '*' ? grants : [{ permissions: ['read'], collections: scope }],
    );
    if (listed.length > mostCollections) throw tooManyCollections();
    const readable = listed.filter(({ key }) => permits(grants, 'read', key));
    if (administersAll({ grants })) return readable;
    const isSuspended = await Promise.all(readable.map(({ key }) => this.ports.suspended.includes(key)));
    return readable.filter((_, place) => isSuspended[place] === false);
  }

  #shared(grants: readonly Grant[]): Promise<readonly Collection[]> {
    const name = JSON.stringify(grants);
    const list =
      this.#lists.get(name) ??
      readableCollections(this.ports.store, grants, { limit: mostCollections + 1 }).finally(() =>
        this.#lists.delete(name),
      );
    this.#lists.set(name, list);
    return list;
  }

  /** Waits for something after a cursor, or a new collection, for so many milliseconds. */
  async #newer(
    list: ListCollections,
    cursor: string,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { of } = parsePlaces(cursor);
    for (let left = milliseconds; left > 0; left -= look) {
      if (await this.watch.newerAmong(of, Math.min(look, left), signal)) return true;
      if (signal.aborted || this.watch.closed) return false;
      if ((await list()).some(({ key, publication }) => !of.has(key) && publication.sequence > 0))
        return true;
    }
    return false;
  }

  async #follow(
    list: ListCollections,
    cursor: string,
    response: Response,
    signal: AbortSignal,
  ): Promise<string> {
    for (;;) {
      const isNewer = await this.#newer(list, cursor, heartbeat, signal);
      if (isNewer || signal.aborted || this.watch.closed || !response.write(nothingNew)) return cursor;
    }
  }
}
