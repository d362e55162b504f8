import 'reflect-metadata';
import { BullServer } from '#queue';
import { runService } from '#runtime';
import { publisherSettings } from '#settings';
import { PublisherModule } from './publisher.module.ts';

await runService({
  name: 'publisher',
  settings: publisherSettings,
  module: (configuration) => PublisherModule.register(configuration),
  port: ({ HEALTH_PORT }) => HEALTH_PORT,
  strategy: (_application, { REDIS_URL, PUBLISH_CONCURRENCY }) => new BullServer({ redisUrl: REDIS_URL, queues: { publish: { concurrency: PUBLISH_CONCURRENCY } } }),
});
