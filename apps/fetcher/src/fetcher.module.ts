import { Inject, Logger, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationShutdown } from '@nestjs/common';
import { ConnectionsModule, openedQueue, openedStore } from '#connections';
import { createHttpFetch } from '#http-fetch';
import type { JobQueue, Store } from '#ports';
import { Repetition, systemChance, systemClock } from '#runtime';
import type { FetcherConfiguration } from '#settings';
import { httpLimits, scanLimits, treeSettings } from './fetch-limits.ts';
import { FetchHandler, fetchPorts, fetchSettings } from './fetch.handler.ts';
import type { FetchPorts } from './fetch-ports.ts';
import type { FetchSettings } from './fetch-settings.ts';
import { fetchDue, reconcileManifests } from './reconcile-fetches.ts';
import { DownloadHandler } from './tree/download.handler.ts';

const httpFetch = Symbol('HttpFetch');

@Module({})
export class FetcherModule implements OnApplicationShutdown {
  constructor(@Inject(httpFetch) private readonly http: ReturnType<typeof createHttpFetch>) {}

  static register(configuration: FetcherConfiguration): DynamicModule {
    const settings: FetchSettings = {
      batch: { items: configuration.FETCH_BATCH_ITEMS, characters: configuration.FETCH_BATCH_CHARACTERS, backlog: configuration.FETCH_BACKLOG },
      claim: configuration.FETCH_CLAIM,
      markupLength: configuration.FETCH_MARKUP_LENGTH,
      scan: scanLimits(configuration),
      tree: treeSettings(configuration),
    };
    const patience = { patience: configuration.FETCH_PATIENCE, longestPatience: configuration.FETCH_LONGEST_PATIENCE, limit: 100 };
    const repeat = (name: string, pause: number, work: (ports: FetchPorts) => Promise<void>) => ({
      provide: Symbol(name),
      inject: [fetchPorts],
      useFactory: (ports: FetchPorts) => new Repetition(name, pause, () => work(ports), new Logger('Fetcher')),
    });
    return {
      module: FetcherModule,
      imports: [ConnectionsModule.register(configuration)],
      controllers: [FetchHandler, DownloadHandler],
      providers: [
        { provide: httpFetch, useFactory: () => createHttpFetch(httpLimits(configuration)) },
        {
          provide: fetchPorts,
          inject: [openedStore, openedQueue, httpFetch],
          useFactory: (store: Store, queue: JobQueue, http: FetchPorts['http']): FetchPorts => ({ store, queue, http, clock: systemClock, chance: systemChance }),
        },
        { provide: fetchSettings, useValue: settings },
        repeat('the schedule', configuration.FETCH_SCHEDULE_PAUSE, (ports) => fetchDue(ports, patience)),
        repeat('the search for interrupted fetches', configuration.FETCH_RECONCILE_PAUSE, (ports) => reconcileManifests(ports, patience)),
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}
