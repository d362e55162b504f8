import { fetcherSettings, workerService } from '#service';
import { FetcherModule } from './fetcher.module.ts';

/** The fetcher: the queues of its handlers. */
export const fetcher = workerService('fetcher', fetcherSettings, (configuration) =>
  FetcherModule.register(configuration),
);
