import type { ChangesView } from '#contracts';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { z } from 'zod';
import type { changesQuery } from '#contracts';
import { UnavailableError } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readLimit } from '../pages/page.ts';
import { invalidInput } from '../problems/problem-error.ts';
import { leavePlace } from '../quota/admit-requests.ts';
import { paidBy } from '../quota/count-request.ts';
import { ClientGoneError } from '../requests/client-writer.ts';
import type { ChangeSource } from './change-source.ts';
import { streamBytes } from './live-streams.ts';
import { PublicationWatch } from './publication-watch.ts';
import type { ChangesPage } from './read-changes.ts';
import { farewell, streamChanges, streamHeaders } from './stream-changes.ts';

type ChangesQuery = Omit<z.infer<typeof changesQuery>, 'since'>;

const defaultTimeout = 25;

/** Sends changes in the way that a client wants them: at once, once there are any, or as they come. */
@Injectable()
export class ChangeResponses {
  readonly #logger = new Logger(ChangeResponses.name);

  constructor(
    @Inject(gatewayPorts) private readonly ports: GatewayPorts,
    private readonly watch: PublicationWatch,
  ) {}

  /**
   * @param since where to begin; of a stream `lastEventId` goes before it
   * @throws ProblemError as `source` does, 400 for a limit or a time that is too long
   */
  async send(
    source: ChangeSource,
    query: ChangesQuery,
    { since, lastEventId }: { readonly since: string | undefined; readonly lastEventId: string | undefined },
    response: Response,
  ): Promise<void> {
    const { configuration } = this.ports;
    const limit = readLimit(query.limit, configuration.GATEWAY_PAGE_ITEMS);
    const seconds = this.#timeout(query.timeout);
    const { signal } = abortedOnClose(response);
    const first = (most: number): Promise<ChangesPage> =>
      source.read(lastEventId ?? since, most, streamBytes);
    if (query.mode === 'stream' && isHead(response)) {
      await first(1);
      return void response.set(streamHeaders).end();
    }
    if (query.mode === 'stream') {
      const stream = async (): Promise<void> => this.#stream(source, await first(limit), response, signal);
      return this.#keepOpen(response, stream);
    }
    const read = async (cursor: string | undefined): Promise<ChangesView> =>
      (await source.read(cursor, limit, configuration.GATEWAY_PAGE_BYTES)).view;
    let changes = await read(since);
    if (query.mode === 'longpoll' && changes.changes.length === 0 && !isHead(response)) {
      const wait = (): Promise<boolean> => source.newer(changes.next, seconds * 1000, signal);
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
    source: ChangeSource,
    first: ChangesPage,
    response: Response,
    signal: AbortSignal,
  ): Promise<void> {
    const { watch, ports } = this;
    try {
      await streamChanges({ watch, configuration: ports.configuration }, source, first, response, signal);
    } catch (error) {
      if (!(error instanceof ClientGoneError))
        this.#logger.warn(`the stream of ${source.name} was cut off: ${String(error)}`);
      else if (error.reason === 'stalled')
        this.#logger.log(`the stream of ${source.name} was cut off: ${error.message}`);
      if (error instanceof UnavailableError) response.end(farewell(`${error.database} is not available`));
      else response.destroy();
    }
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
