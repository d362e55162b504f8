import { publisherSettings, workerService } from '#service';
import { PublisherModule } from './publisher.module.ts';

/** The publisher: the queues of its handlers. */
export const publisher = workerService('publisher', publisherSettings, (configuration) =>
  PublisherModule.register(configuration),
);
