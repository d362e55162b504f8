import { mergerSettings, workerService } from '#service';
import { MergerModule } from './merger.module.ts';

/** The merger: the queues of its handlers. */
export const merger = workerService('merger', mergerSettings, (configuration) =>
  MergerModule.register(configuration),
);
