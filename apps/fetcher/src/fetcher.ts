import { BullServer } from '#queue';
import { fetcherSettings, workerSettings } from '#service';
import type { Service } from '#service';
import { FetcherModule } from './fetcher.module.ts';

/** The fetcher: the queues `fetch` and `download`. */
export const fetcher: Service<typeof fetcherSettings> = {
  name: 'fetcher',
  settings: fetcherSettings,
  module: (configuration) => FetcherModule.register(configuration),
  port: ({ HEALTH_PORT }) => HEALTH_PORT,
  strategy: (_application, configuration) =>
    new BullServer({
      redisUrl: configuration.REDIS_URL,
      queues: {
        fetch: { concurrency: configuration.FETCH_CONCURRENCY },
        download: { concurrency: configuration.DOWNLOAD_CONCURRENCY },
      },
      settings: workerSettings(configuration),
    }),
};
