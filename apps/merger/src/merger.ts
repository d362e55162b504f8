import { BullServer } from '#queue';
import { mergerSettings, workerSettings } from '#service';
import type { Service } from '#service';
import { MergerModule } from './merger.module.ts';

/** The merger: the queues `merge`, `mirror` and `finalize`. */
export const merger: Service<typeof mergerSettings> = {
  name: 'merger',
  settings: mergerSettings,
  module: (configuration) => MergerModule.register(configuration),
  port: ({ HEALTH_PORT }) => HEALTH_PORT,
  strategy: (_application, configuration) =>
    new BullServer({
      redisUrl: configuration.REDIS_URL,
      queues: {
        merge: { concurrency: configuration.MERGE_CONCURRENCY },
        mirror: { concurrency: configuration.MIRROR_CONCURRENCY },
        finalize: { concurrency: configuration.FINALIZE_CONCURRENCY },
      },
      settings: workerSettings(configuration),
    }),
};
