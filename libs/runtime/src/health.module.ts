import { Module } from '@nestjs/common';
import type { DynamicModule, InjectionToken, OptionalFactoryDependency } from '@nestjs/common';
import { HealthChecks } from './health-checks.ts';
import type { HealthCheck } from './health-checks.ts';
import { HealthController } from './health.controller.ts';

export interface HealthOptions<Dependencies extends unknown[]> {
  /** What to inject into `checks`; the modules that provide it must be global or in `imports`. */
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  readonly imports?: DynamicModule['imports'];
  /** The checks of readiness by name. */
  readonly checks: Readonly<Record<string, HealthCheck>> | ((...dependencies: Dependencies) => Readonly<Record<string, HealthCheck>>);
  /** How long one check may take; 2 seconds where it is not said. */
  readonly seconds?: number;
}

/** Serves `GET /health/live` and `GET /health/ready`. */
@Module({})
export class HealthModule {
  static register<Dependencies extends unknown[]>({ imports = [], inject = [], checks, seconds = 2 }: HealthOptions<Dependencies>): DynamicModule {
    return {
      module: HealthModule,
      imports,
      controllers: [HealthController],
      providers: [{
        provide: HealthChecks,
        inject,
        useFactory: (...dependencies: Dependencies) => new HealthChecks(typeof checks === 'function' ? checks(...dependencies) : checks, seconds),
      }],
    };
  }
}
