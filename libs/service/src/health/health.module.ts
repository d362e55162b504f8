import { Module } from '@nestjs/common';
import type { DynamicModule, InjectionToken, OptionalFactoryDependency } from '@nestjs/common';
import { HealthChecks } from './health-checks.ts';
import type { CheckTimes, HealthCheck } from './health-checks.ts';
import { HealthNotes } from './health-notes.ts';
import type { HealthNote } from './health-notes.ts';
import { measureDependencies } from '../telemetry/dependencies.ts';
import { HealthController } from './health.controller.ts';

interface HealthOptions<Dependencies extends unknown[]> {
  /** What to inject into `checks`; the modules that provide it must be global or in `imports`. */
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  readonly imports?: DynamicModule['imports'];
  /** The checks of readiness by name. */
  readonly checks:
    | Readonly<Record<string, HealthCheck>>
    | ((...dependencies: Dependencies) => Readonly<Record<string, HealthCheck>>);
  /** Of checks without which the service works in part: what does not work then, by name. */
  readonly losses?: Readonly<Record<string, string>>;
  /** What to say beside the checks, by name. */
  readonly notes?: (...dependencies: Dependencies) => Readonly<Record<string, HealthNote>>;
  /**
   * How long one check or note may take, 2 seconds by default, and how long its outcome holds, 1 second by
   * default.
   */
  readonly times?: CheckTimes;
}

/** Serves `GET /health/live` and `GET /health/ready`. */
@Module({})
export class HealthModule {
  static register<Dependencies extends unknown[]>(options: HealthOptions<Dependencies>): DynamicModule {
    const { imports = [], inject = [], checks, losses, notes = () => ({}) } = options;
    const { times = { limit: 2, reuse: 1 } } = options;
    return {
      module: HealthModule,
      imports,
      controllers: [HealthController],
      providers: [
        {
          provide: HealthChecks,
          inject,
          useFactory: (...dependencies: Dependencies) => {
            const own = typeof checks === 'function' ? checks(...dependencies) : checks;
            const found = new HealthChecks(own, times, losses);
            measureDependencies(() => found.run());
            return found;
          },
        },
        {
          provide: HealthNotes,
          inject,
          useFactory: (...dependencies: Dependencies) => new HealthNotes(notes(...dependencies), times.limit),
        },
      ],
    };
  }
}
