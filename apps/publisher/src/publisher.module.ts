import { Inject, Logger, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationShutdown } from '@nestjs/common';
import {
  publicUrl,
  ConnectionsModule,
  MetricsController,
  openedQueue,
  openedStore,
  PeriodicTask,
  redisLocation,
  systemClock,
} from '#service';
import type { PublisherConfiguration } from '#service';
import type { EventStream, JobQueue, PublishBacklog, Store } from '#core';
import { openEventStream } from '#queue';
import { observeRelayed } from '#telemetry';
import type { PublishPorts, PublishSettings } from './publish-collection.ts';
import { contentPurge } from './purge-contents.ts';
import { feedPurge } from './purge-feeds.ts';
import { PublishHandler, publishPorts, publishSettings } from './publish.handler.ts';
import { publishPending, unrelayedSearch } from './reconcile-publications.ts';
import type { ReconcilePorts } from './reconcile-publications.ts';

const eventStream = Symbol('EventStream');

@Module({})
export class PublisherModule implements OnApplicationShutdown {
  constructor(@Inject(eventStream) private readonly stream: ReturnType<typeof openEventStream>) {}

  static register(configuration: PublisherConfiguration): DynamicModule {
    const {
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
      STREAM_LENGTH,
      STREAM_PARTITIONS,
      STREAM_REPLICAS,
    } = configuration;
    const settings: PublishSettings = {
      block: PUBLISH_BLOCK,
      blockBytes: PUBLISH_BLOCK_BYTES,
      lease: PUBLISH_LEASE_MS,
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
    return {
      module: PublisherModule,
      imports: [ConnectionsModule.register(configuration, configuration.MONGODB_TIMEOUT_SECONDS)],
      controllers: [PublishHandler, MetricsController],
      providers: [
        {
          provide: eventStream,
          useFactory: () =>
            openEventStream({
              ...redisLocation(configuration),
              partitions: STREAM_PARTITIONS,
              maximumLength: STREAM_LENGTH,
              replicas: STREAM_REPLICAS,
            }),
        },
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

  async onApplicationShutdown(): Promise<void> {
    await this.stream.close();
  }
}
