import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { publicUrl } from '#configuration';
import { ConnectionsModule, openedQueue, openedStore } from '#connections';
import type { JobQueue, Store } from '#ports';
import { systemClock } from '#runtime';
import type { MergerConfiguration } from '#settings';
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
      controllers: [MergeHandler, MirrorHandler],
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
