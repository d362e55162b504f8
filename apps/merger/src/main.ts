import 'reflect-metadata';
import { BullServer } from '#queue';
import { runService } from '#runtime';
import { mergerSettings } from '#settings';
import { MergerModule } from './merger.module.ts';

await runService({
  name: 'merger',
  settings: mergerSettings,
  module: (configuration) => MergerModule.register(configuration),
  port: ({ HEALTH_PORT }) => HEALTH_PORT,
  strategy: (_application, { REDIS_URL, MERGE_CONCURRENCY, MIRROR_CONCURRENCY, SETTLE_CONCURRENCY }) =>
    new BullServer({ redisUrl: REDIS_URL, queues: { merge: { concurrency: MERGE_CONCURRENCY }, mirror: { concurrency: MIRROR_CONCURRENCY }, settle: { concurrency: SETTLE_CONCURRENCY } } }),
});
