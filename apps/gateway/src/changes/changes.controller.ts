import type { ChangesView } from '#contracts';
import { Controller, Headers, Inject, Logger, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { z } from 'zod';
import { changesQuery, parseCursor } from '#contracts';
import { UnavailableError } from '#core';
import type { CollectionKey } from '#core';
import { changesAfter } from './cursor.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readLimit } from '../pages/page.ts';
import { invalidInput } from '../problems/problem-error.ts';
import { ClientGoneError } from '../requests/client-writer.ts';
import { ChangesReader } from './changes-reader.ts';
import { LiveStreams } from './live-streams.ts';
import type { ChangesPage } from './read-changes.ts';
import { PublicationWatch } from './publication-watch.ts';
import { farewell, readForStream, streamChanges, streamHeaders } from './stream-changes.ts';
import type { StreamSource } from './stream-changes.ts';
import { leavePlace } from '../quota/admit-requests.ts';
import { paidBy } from '../quota/count-request.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam } from '../requests/path-parameter.ts';

type ChangesQuery = z.infer<typeof changesQuery>;

const defaultTimeout = 25;

@Controller()
export class ChangesController {
  readonly #logger = new Logger(ChangesController.name);

  constructor(
    @Inject(gatewayPorts) private readonly ports: GatewayPorts,
    private readonly watch: PublicationWatch,
    private readonly reader: ChangesReader,
    private readonly live: LiveStreams,
  ) {}

  @Route('readChanges')
  async read(
    @CollectionParam() key: CollectionKey,
    @Query({ schema: changesQuery }) query: ChangesQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const { configuration } = this.ports;
    const limit = readLimit(query.limit, configuration.GATEWAY_PAGE_ITEMS);
    const seconds = this.#timeout(query.timeout);
    const { signal } = abortedOnClose(response);
    const first = (most: number): Promise<ChangesPage> =>
      readForStream(this.#source, key, changesAfter(lastEventId ?? query.since), most);
    if (query.mode === 'stream' && isHead(response)) {
      await first(1);
      return void response.set(streamHeaders).end();
    }
    if (query.mode === 'stream') {
      const stream = async (): Promise<void> => this.#stream(key, await first(limit), response, signal);
      return this.#keepOpen(response, stream);
    }
    const read = async (cursor: string | undefined): Promise<ChangesView> =>
      (await this.reader.read(key, cursor, limit, configuration.GATEWAY_PAGE_BYTES)).view;
    let changes = await read(changesAfter(query.since));
    if (query.mode === 'longpoll' && changes.changes.length === 0 && !isHead(response)) {
      const wait = (): Promise<boolean> =>
        this.watch.newer(key, parseCursor(changes.next) ?? 0, seconds * 1000, signal);
      if (await this.#keepOpen(response, wait)) changes = await read(changes.next);
      else if (this.watch.closed) changes = { ...changes, ended: 'shutting-down' };
    }
    response.set('Cache-Control', 'no-store').json(changes);
  }

  /** Runs what keeps a response open, as far as this gateway, and the tenant, may have more of them. */
  #keepOpen<Result>(response: Response, work: () => Promise<Result>): Promise<Result> {
    const { changeReaders, limiter } = this.ports;
    leavePlace(response);
    return changeReaders.run(() => limiter.runStream(paidBy(response.req), work));
  }

  async #stream(
    key: CollectionKey,
    first: ChangesPage,
    response: Response,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await streamChanges(this.#source, key, first, response, signal);
    } catch (error) {
      if (!(error instanceof ClientGoneError))
        this.#logger.warn(`the stream of ${key} was cut off: ${String(error)}`);
      else if (error.reason === 'stalled')
        this.#logger.log(`the stream of ${key} was cut off: ${error.message}`);
      if (error instanceof UnavailableError) response.end(farewell(`${error.database} is not available`));
      else response.destroy();
    }
  }

  get #source(): StreamSource {
    const { reader, watch, live, ports } = this;
    return { reader, watch, live, configuration: ports.configuration };
  }

  #timeout(timeout: string | undefined): number {
    const seconds = Number(timeout ?? defaultTimeout);
    const { GATEWAY_LONGPOLL_SECONDS: most } = this.ports.configuration;
    if (seconds > most)
      throw invalidInput([
        { path: 'query.timeout', message: `at most ${most} (setting GATEWAY_LONGPOLL_SECONDS)` },
      ]);
    return seconds;
  }
}

/** Whether only the header is requested, which needs no waiting. */
function isHead(response: Response): boolean {
  return response.req.method === 'HEAD';
}

function abortedOnClose(response: Response): AbortController {
  const closed = new AbortController();
  response.on('close', () => closed.abort());
  return closed;
}
