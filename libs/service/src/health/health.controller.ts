import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { HealthChecks, statusOf } from './health-checks.ts';
import { HealthNotes } from './health-notes.ts';
import { Shutdown } from '../shutdown.ts';

/** What `/health/ready` says: each check with `up` or what is wrong. */
interface Readiness {
  readonly status: ReturnType<typeof statusOf>;
  readonly checks: Readonly<Record<string, string>>;
  /** What people should know although the service works; absent if there is nothing. */
  readonly notes?: Readonly<Record<string, string>>;
}

/** Tells those who start and watch the process whether it runs, and whether it can work. */
@Controller('health')
export class HealthController {
  readonly #checks: HealthChecks;
  readonly #notes: HealthNotes;
  readonly #shutdown: Shutdown;

  constructor(checks: HealthChecks, notes: HealthNotes, shutdown: Shutdown) {
    this.#checks = checks;
    this.#notes = notes;
    this.#shutdown = shutdown;
  }

  /** 200 as long as the process answers. */
  @Get('live')
  live(): { status: 'up' } {
    return { status: 'up' };
  }

  /**
   * 200 if every check succeeds or is degraded, else 503 that names those which do not; 503 also once the
   * service is about to end.
   */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const [found, notes] = await Promise.all([this.#checks.run(), this.#notes.read()]);
    const checks = this.#shutdown.announced ? { service: 'it is shutting down', ...found } : found;
    const status = statusOf(checks);
    response.status(status === 'down' ? 503 : 200).set('Cache-Control', 'no-store');
    return { status, checks, ...(Object.keys(notes).length > 0 && { notes }) };
  }
}
