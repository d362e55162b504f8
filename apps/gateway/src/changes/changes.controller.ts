import { Controller, Headers, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { allChangesQuery, changesQuery } from '#contracts';
import type { CollectionKey } from '#core';
import { callerOf } from '../access/principal.ts';
import { CollectionParam } from '../requests/path-parameter.ts';
import { Route } from '../requests/route.ts';
import { AllChanges } from './all-changes.ts';
import { ChangeResponses } from './change-responses.ts';
import { ChangesReader } from './changes-reader.ts';
import { collectionChanges } from './collection-changes.ts';
import { LiveStreams } from './live-streams.ts';
import { PublicationWatch } from './publication-watch.ts';

@Controller()
export class ChangesController {
  constructor(
    private readonly watch: PublicationWatch,
    private readonly reader: ChangesReader,
    private readonly live: LiveStreams,
    private readonly all: AllChanges,
    private readonly responses: ChangeResponses,
  ) {}

  @Route('readChanges')
  read(
    @CollectionParam() key: CollectionKey,
    @Query({ schema: changesQuery }) { since, ...query }: z.infer<typeof changesQuery>,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const { reader, watch, live } = this;
    const source = collectionChanges({ reader, watch, live }, key);
    return this.responses.send(source, query, { since, lastEventId }, response);
  }

  @Route('readAllChanges')
  readAll(
    @Query({ schema: allChangesQuery }) { since, collections, ...query }: z.infer<typeof allChangesQuery>,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const source = this.all.of(callerOf(request), collections);
    return this.responses.send(source, query, { since, lastEventId }, response);
  }
}
