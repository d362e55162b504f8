import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import {
  publicUrl,
  ConnectionsModule,
  MetricsController,
  openedQueue,
  openedStore,
  systemClock,
} from '#service';
import type { MergerConfiguration } from '#service';
import type { JobQueue, Store } from '#core';
import { MergeHandler, mergePorts } from './merge.handler.ts';
import type { MergeBatchPorts } from './merge-batch.ts';
import { loadResolutionModules } from './resolution-modules.ts';
import { MirrorHandler } from './tree/mirror.handler.ts';

@Module({})
export class MergerModule {
  static register(configuration: MergerConfiguration): DynamicModule {
    return {
      module: MergerModule,
      imports: [ConnectionsModule.register(configuration, configuration.MONGODB_TIMEOUT_SECONDS)],
      controllers: [MergeHandler, MirrorHandler, MetricsController],
      providers: [
        {
          provide: mergePorts,
          inject: [openedStore, openedQueue],
          useFactory: async (store: Store, queue: JobQueue): Promise<MergeBatchPorts> => ({
            store,
            queue,
            clock: systemClock,
            publicUrl: publicUrl(configuration),
            modules: await loadResolutionModules(new Map(configuration.MERGE_RESOLUTION_MODULES)),
          }),
        },
      ],
    };
  }
}
