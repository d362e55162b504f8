export { ConnectionsModule, openedQueue, openedStore } from './connections.module.ts';
export type { FurtherChecks } from './connections.module.ts';
export { contain, containEvents, failWork } from './contained-work.ts';
export { DegradedError } from './health/health-checks.ts';
export { ServiceLogger } from './logger.ts';
export { MetricsController } from './metrics.controller.ts';
export { PeriodicTask } from './periodic-task.ts';
export { runService, startService } from './service.ts';
export type { Service } from './service.ts';
export { workerService } from './worker-service.ts';
export { ConfigurationError, readConfiguration } from './settings/configuration.ts';
export type { Setting } from './settings/configuration.ts';
export * from './settings/service-setting.ts';
export { auditDaysOf, isAudited } from './settings/audit-settings.ts';
export { accessSecretsOf, isAccessLimited, isLoopback } from './settings/access-settings.ts';
export { credentialKeysOf } from './settings/credential-settings.ts';
export { mongodbLocation, mongodbSettings } from './settings/mongodb-settings.ts';
export { redisLocation, redisSettings } from './settings/redis-settings.ts';
export { publicUrl, serviceSettings } from './settings/service-settings.ts';
export { networks, seconds, wholeNumber } from './settings/setting-kinds.ts';
export { storedDefaults } from './settings/tenant-settings.ts';
export { hubCallbacks } from './settings/websub-settings.ts';
export { workerSettings } from './settings/worker-settings.ts';
export { systemRandom, systemClock } from './system.ts';
export {
  hubCalls,
  hubRequests,
  requestSeconds,
  tenantWaitSeconds,
  waitingRequests,
} from './telemetry/instruments.ts';
export { recordedFetches } from './telemetry/recorded-fetches.ts';
export { metricsText, metricsType } from './telemetry/metrics-text.ts';
export { queueSpans } from './telemetry/queue-spans.ts';
export { observeRelayed } from './telemetry/relayed-items.ts';
export { beginRequest } from './telemetry/request-span.ts';
export { countLeased, countRefusal, observeTenantShare } from './telemetry/tenant-counts.ts';
export { tracedHttp } from './telemetry/traced-http.ts';
export { inSpan, isTracing } from './telemetry/tracing.ts';
