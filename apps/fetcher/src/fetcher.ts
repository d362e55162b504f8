import { fetcherSettings, workerService } from '#service';
import { FetcherModule } from './fetcher.module.ts';

/** The fetcher: the queues `fetch` and `download`. */
export const fetcher = workerService(
  'fetcher',
  fetcherSettings,
  (configuration) => FetcherModule.register(configuration),
  ({ FETCH_CONCURRENCY, DOWNLOAD_CONCURRENCY }) => ({
    fetch: FETCH_CONCURRENCY,
    download: DOWNLOAD_CONCURRENCY,
  }),
);
