import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { HealthChecks } from './health-checks.ts';

/** What `/health/ready` says: each check with `up` or what is wrong. */
export interface Readiness {
  readonly status: 'up' | 'down';
  readonly checks: Readonly<Record<string, string>>;
}

/** Tells those who start and watch the process whether it runs, and whether it can work. */
@Controller('health')
export class HealthController {
  readonly #checks: HealthChecks;

  constructor(checks: HealthChecks) {
    this.#checks = checks;
  }

  /** 200 as long as the process answers. */
  @Get('live')
  live(): { status: 'up' } {
    return { status: 'up' };
  }

  /** 200 where every check succeeds, else 503 that names those which do not. */
  @Get('ready')
  async ready(): Promise<Readiness> {
    const checks = await this.#checks.run();
    const readiness: Readiness = { status: Object.values(checks).every((state) => state === 'up') ? 'up' : 'down', checks };
    if (readiness.status === 'down') throw new ServiceUnavailableException(readiness);
    return readiness;
  }
}
