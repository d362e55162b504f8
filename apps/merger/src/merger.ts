import { mergerSettings, workerService } from '#service';
import { MergerModule } from './merger.module.ts';

/** The merger: the queues `merge`, `mirror` and `finalize`. */
export const merger = workerService(
  'merger',
  mergerSettings,
  (configuration) => MergerModule.register(configuration),
  ({ MERGE_CONCURRENCY, MIRROR_CONCURRENCY, FINALIZE_CONCURRENCY }) => ({
    merge: MERGE_CONCURRENCY,
    mirror: MIRROR_CONCURRENCY,
    finalize: FINALIZE_CONCURRENCY,
  }),
);
