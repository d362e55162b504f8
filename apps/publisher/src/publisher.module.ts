import { Logger, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import {
  ConnectionsModule,
  MetricsController,
  observeRelayed,
  openedQueue,
  openedStore,
  PeriodicTask,
  publicUrl,
  systemClock,
} from '#service';
import type { PublisherConfiguration } from '#service';
import type { EventStream, JobQueue, PublishBacklog, Store } from '#core';
import { EventStreamModule, eventStream, replicaCheck } from './event-stream.module.ts';
import type { PublishPorts, PublishSettings } from './publish-ports.ts';
import { contentPurge } from './purge-contents.ts';
import { feedPurge } from './purge-feeds.ts';
import { PublishHandler, publishPorts, publishSettings } from './publish.handler.ts';
import { publishPending, unrelayedSearch } from './reconcile-publications.ts';
import type { ReconcilePorts } from './reconcile-publications.ts';

@Module({})
export class PublisherModule {
  static register(configuration: PublisherConfiguration): DynamicModule {
    const {
      PUBLISH_CONCURRENCY,
      PUBLISH_BLOCK,
      PUBLISH_BLOCK_BYTES,
      PUBLISH_LEASE_MS,
      PUBLISH_RETENTION,
      PUBLISH_RECONCILE_MS,
      PUBLISH_RELAY_MS,
      PUBLISH_PURGE_MS,
      PUBLISH_PURGE_ITEMS,
      BLOB_GRACE_SECONDS,
      BLOB_PURGE_MS,
    } = configuration;
    const settings: PublishSettings = {
      block: PUBLISH_BLOCK,
      blockBytes: PUBLISH_BLOCK_BYTES,
      lease: PUBLISH_LEASE_MS,
      concurrency: PUBLISH_CONCURRENCY,
      retention: PUBLISH_RETENTION,
    };
    const grace = configuration.SHUTDOWN_GRACE_SECONDS * 1000;
    const repeat = (
      name: string,
      pause: number,
      work: (ports: ReconcilePorts) => Promise<void>,
      isLight = false,
    ) => ({
      provide: Symbol(name),
      inject: [openedStore, openedQueue],
      useFactory: (store: Store, queue: JobQueue) =>
        new PeriodicTask(name, pause, () => work({ store, queue }), new Logger('Publisher'), grace, isLight),
    });
    const streams = EventStreamModule.register(configuration);
    return {
      module: PublisherModule,
      imports: [
        streams,
        ConnectionsModule.register(configuration, configuration.MONGODB_TIMEOUT_SECONDS, {
          checks: replicaCheck(streams),
        }),
      ],
      controllers: [PublishHandler, MetricsController],
      providers: [
        {
          provide: publishPorts,
          inject: [openedStore, openedQueue, eventStream],
          useFactory: (
            store: Store,
            backlog: PublishBacklog,
            stream: EventStream,
          ): Omit<PublishPorts, 'holder'> => ({
            store,
            backlog,
            stream,
            clock: systemClock,
            publicUrl: publicUrl(configuration),
            observeRelayed,
          }),
        },
        { provide: publishSettings, useValue: settings },
        repeat('the search for what is pending', PUBLISH_RECONCILE_MS, publishPending, true),
        repeat('the search for what was not relayed', PUBLISH_RELAY_MS, unrelayedSearch()),
        repeat('the purge of the feeds', PUBLISH_PURGE_MS, feedPurge(systemClock, PUBLISH_PURGE_ITEMS)),
        repeat('the purge of the files', BLOB_PURGE_MS, contentPurge(systemClock, BLOB_GRACE_SECONDS)),
      ],
    };
  }
}
