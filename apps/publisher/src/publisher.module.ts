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
import type { EventStream, JobQueue, Store } from '#core';
import type { OpenStore } from '#store';
import { EventStreamModule, eventStream, replicaCheck } from './event-stream.module.ts';
import type { PublishPorts, PublishSettings } from './publish-ports.ts';
import { contentPurge } from './purge-contents.ts';
import { feedPurge } from './purge-feeds.ts';
import { PublishHandler, publishPorts, publishSettings } from './publish.handler.ts';
import { followPublished, publishPending } from './reconcile-publications.ts';

@Module({})
export class PublisherModule {
  static register(configuration: PublisherConfiguration): DynamicModule {
    const {
      PUBLISH_BLOCK,
      PUBLISH_BLOCK_BYTES,
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
      retention: PUBLISH_RETENTION,
    };
    const grace = configuration.SHUTDOWN_GRACE_SECONDS * 1000;
    const repeat = (
      name: string,
      pause: number,
      work: (ports: { store: OpenStore; queue: JobQueue }) => Promise<void>,
      isLight = false,
    ) => ({
      provide: Symbol(name),
      inject: [openedStore, openedQueue],
      useFactory: (store: OpenStore, queue: JobQueue) =>
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
          inject: [openedStore, eventStream],
          useFactory: (store: Store, stream: EventStream): PublishPorts => ({
            store,
            stream,
            clock: systemClock,
            publicUrl: publicUrl(configuration),
            observeRelayed,
          }),
        },
        { provide: publishSettings, useValue: settings },
        repeat('the search for what is pending', PUBLISH_RECONCILE_MS, publishPending, true),
        repeat('the search for what was not followed', PUBLISH_RELAY_MS, followPublished),
        repeat('the search for stalled transactions', PUBLISH_RELAY_MS, ({ store }) =>
          store.endStalledTransactions(),
        ),
        repeat('the purge of the feeds', PUBLISH_PURGE_MS, feedPurge(systemClock, PUBLISH_PURGE_ITEMS)),
        repeat('the purge of the files', BLOB_PURGE_MS, contentPurge(systemClock, BLOB_GRACE_SECONDS)),
      ],
    };
  }
}
