import 'reflect-metadata';
import { BullServer } from '#queue';
import { runService } from '#runtime';
import { fetcherSettings } from '#settings';
import { FetcherModule } from './fetcher.module.ts';

await runService({
  name: 'fetcher',
  settings: fetcherSettings,
  module: (configuration) => FetcherModule.register(configuration),
  port: ({ HEALTH_PORT }) => HEALTH_PORT,
  strategy: (_application, { REDIS_URL, FETCH_CONCURRENCY, DOWNLOAD_CONCURRENCY }) => (
    new BullServer({ redisUrl: REDIS_URL, queues: { fetch: { concurrency: FETCH_CONCURRENCY }, download: { concurrency: DOWNLOAD_CONCURRENCY } } })
  ),
});
