import { publisherSettings, workerService } from '#service';
import { PublisherModule } from './publisher.module.ts';

/** The publisher: the queue `publish`. */
export const publisher = workerService(
  'publisher',
  publisherSettings,
  (configuration) => PublisherModule.register(configuration),
  ({ PUBLISH_CONCURRENCY }) => ({ publish: PUBLISH_CONCURRENCY }),
);
