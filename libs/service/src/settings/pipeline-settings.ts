import { seconds } from './setting-kinds.ts';
import { serviceSettings } from './service-settings.ts';

/** The settings that the services share which nobody waits for. */
export const pipelineSettings = serviceSettings.extend({
  MONGODB_TIMEOUT_SECONDS: seconds(3600)
    .default(30)
    .describe('Seconds that MongoDB may take to answer an operation, which is then tried once more'),
});
