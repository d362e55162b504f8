import { Logger, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import {
  ConnectionsModule,
  countRefusal,
  MetricsController,
  openedQueue,
  openedStore,
  PeriodicTask,
  publicUrl,
  recordedFetches,
  storedDefaults,
  systemClock,
  systemRandom,
} from '#service';
import type { MergerConfiguration } from '#service';
import type { BullQueue } from '#queue';
import { limitedStore, writtenBlocks } from '#items';
import { nameOf } from '#core';
import type { JobQueue, Store } from '#core';
import { reconcileDeletions } from './deletions/continue-deletion.ts';
import type { DeletionPorts, DeletionSettings } from './deletions/continue-deletion.ts';
import { DeleteHandler, deletionPorts, deletionSettings } from './deletions/delete.handler.ts';
import { removeCollections } from './deletions/remove-collections.ts';
import { MergeHandler, mergePorts } from './merge.handler.ts';
import type { MergeBatchPorts } from './merge-batch.ts';
import { recountTenants } from './recount-tenants.ts';
import { loadResolutionModules } from './resolution-modules.ts';
import { MirrorHandler } from './tree/mirror.handler.ts';

/** Milliseconds between two looks for collections of tenants that are to be counted again, at the most. */
const recountLook = 60_000;

@Module({})
export class MergerModule {
  static register(configuration: MergerConfiguration): DynamicModule {
    const logger = new Logger('Merger');
    const recountAfter = configuration.TENANT_RECOUNT_SECONDS * 1000;
    const settings: DeletionSettings = {
      lease: configuration.DELETE_LEASE_MS,
      keep: configuration.DELETE_KEEP_SECONDS * 1000,
    };
    return {
      module: MergerModule,
      imports: [
        ConnectionsModule.register(configuration, configuration.MONGODB_TIMEOUT_SECONDS, {
          compose: writtenBlocks({ now: () => systemClock.now(), publicUrl: publicUrl(configuration) }),
        }),
      ],
      controllers: [MergeHandler, MirrorHandler, DeleteHandler, MetricsController],
      providers: [
        {
          provide: mergePorts,
          inject: [openedStore, openedQueue],
          useFactory: async (store: Store, queue: BullQueue): Promise<MergeBatchPorts> => ({
            store: limitedStore(recordedFetches(store, queue), {
              clock: systemClock,
              defaults: storedDefaults(configuration),
              refused: ({ tenant, what }) => countRefusal(tenant, what),
            }),
            queue,
            clock: systemClock,
            publicUrl: publicUrl(configuration),
            modules: await loadResolutionModules(new Map(configuration.MERGE_RESOLUTION_MODULES)),
          }),
        },
        {
          provide: deletionPorts,
          inject: [openedStore, openedQueue],
          useFactory: (store: Store, queue: JobQueue): DeletionPorts => ({
            store,
            queue,
            clock: systemClock,
            random: systemRandom,
            publicUrl: publicUrl(configuration),
          }),
        },
        { provide: deletionSettings, useValue: settings },
        {
          provide: Symbol('the search for interrupted deletions'),
          inject: [deletionPorts],
          useFactory: (ports: DeletionPorts) =>
            new PeriodicTask(
              'the search for interrupted deletions',
              configuration.DELETE_RECONCILE_MS,
              () => reconcileDeletions(ports),
              logger,
              configuration.SHUTDOWN_GRACE_SECONDS * 1000,
            ),
        },
        {
          provide: Symbol('the deletion of what removed collections had'),
          inject: [openedStore],
          useFactory: (store: Store) =>
            new PeriodicTask(
              'the deletion of what removed collections had',
              configuration.DELETE_RECONCILE_MS,
              () => removeCollections(store),
              logger,
              // Another merger goes on with it.
              0,
            ),
        },
        {
          provide: Symbol('the count of what tenants have'),
          inject: [openedStore],
          useFactory: (store: Store) =>
            new PeriodicTask(
              'the count of what tenants have',
              Math.min(recountLook, recountAfter),
              () =>
                recountTenants(
                  {
                    store,
                    clock: systemClock,
                    corrected: ({ collection, corrected: { items, bytes, files } }) =>
                      logger.log(
                        `the usage of "${nameOf(collection)}" was corrected by ${items} items, ` +
                          `${bytes} bytes and ${files} files`,
                      ),
                  },
                  recountAfter,
                ),
              logger,
              // Another merger begins it again.
              0,
            ),
        },
      ],
    };
  }
}
