import { BullServer } from '#queue';
import type { Service } from '#runtime';
import { mergerSettings, workerSettings } from '#settings';
import { MergerModule } from './merger.module.ts';

/** The merger: the queues `merge`, `mirror` and `settle`. */
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
        settle: { concurrency: configuration.SETTLE_CONCURRENCY },
      },
      settings: workerSettings(configuration),
    }),
};
