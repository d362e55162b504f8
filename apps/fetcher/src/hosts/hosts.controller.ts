import { Controller, Get } from '@nestjs/common';
import { Hosts } from './hosts.ts';
import type { HostReport } from './hosts.ts';

/**
 * Shows the hosts that this process sends requests to, keeps jobs waiting for, or leaves alone since they
 * fail.
 */
@Controller('health')
export class HostsController {
  constructor(private readonly hosts: Hosts) {}

  /** Those at rest without a failure are left out. */
  @Get('hosts')
  list(): { hosts: HostReport[] } {
    return { hosts: this.hosts.list() };
  }
}
