export type { HealthNote } from './health-notes.ts';
export type { HealthCheck } from './health-checks.ts';
export { HealthModule } from './health.module.ts';
export { ServiceLogger } from './logger.ts';
export { Repetition } from './repetition.ts';
export { runService, startService } from './service.ts';
export type { Service } from './service.ts';
export { systemChance, systemClock } from './system.ts';
