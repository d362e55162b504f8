import { Controller, Get, Headers, Inject, Logger, Param, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { collectionName, parseCursor } from '#messages';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readLimit, pageParameters } from '../pages/page.ts';
import { invalidInput } from '../problems/problem-error.ts';
import { cursorQuery } from './cursor.ts';
import { PublicationWatch } from './publication-watch.ts';
import { readChanges } from './read-changes.ts';
import { streamChanges } from './stream-changes.ts';

const changesQuery = z.strictObject({
  since: cursorQuery.shape.since,
  limit: pageParameters.limit,
  mode: z.enum(['normal', 'longpoll', 'stream']).optional().describe('Answer at once, wait for something newer, or send changes as they come; `normal` by default.'),
  timeout: z.string().regex(/^[0-9]{1,6}$/, 'a whole number of seconds').optional().describe('How many seconds `longpoll` waits; 25 by default.'),
});
type ChangesQuery = z.infer<typeof changesQuery>;

const defaultTimeout = 25;

@ApiTags('changes')
@Controller('v1/collections/:collection/changes')
export class ChangesController {
  readonly #logger = new Logger(ChangesController.name);

  constructor(
    @Inject(gatewayPorts) private readonly ports: GatewayPorts,
    private readonly watch: PublicationWatch,
  ) {}

  @Get()
  @ApiOperation({ summary: 'The changes after a cursor, or from the oldest that is kept, as CloudEvents.' })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'Where `stream` resumes; goes before `since`.' })
  @ApiProduces('application/json', 'text/event-stream')
  async read(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: changesQuery }) query: ChangesQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const limit = readLimit(query.limit, this.ports.limits.pageItems);
    const seconds = this.#timeout(query.timeout);
    const left = new AbortController();
    response.on('close', () => left.abort());
    const since = query.mode === 'stream' ? (lastEventId ?? query.since) : query.since;
    let changes = await readChanges(this.ports, name, since, limit);
    if (query.mode === 'stream') return this.#stream(name, changes, response, left.signal);
    if (query.mode === 'longpoll' && changes.changes.length === 0) {
      const newer = await this.watch.newer(name, parseCursor(changes.next) ?? 0, seconds * 1000, left.signal);
      if (newer) changes = await readChanges(this.ports, name, changes.next, limit);
    }
    response.set('Cache-Control', 'no-store').json(changes);
  }

  async #stream(name: string, first: Awaited<ReturnType<typeof readChanges>>, response: Response, signal: AbortSignal): Promise<void> {
    try {
      await streamChanges(this.ports, this.watch, name, first, response, signal);
    } catch (error) {
      if (!signal.aborted) this.#logger.warn(`the stream of ${name} was cut off: ${String(error)}`);
      response.destroy();
    }
  }

  #timeout(timeout: string | undefined): number {
    const seconds = Number(timeout ?? defaultTimeout);
    const { longPollSeconds } = this.ports.limits;
    if (seconds > longPollSeconds) throw invalidInput([{ path: 'query.timeout', message: `at most ${longPollSeconds} (setting GATEWAY_LONGPOLL_SECONDS)` }]);
    return seconds;
  }
}
