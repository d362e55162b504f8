import type { LoggerService, OnApplicationShutdown, Provider } from '@nestjs/common';
import { openTenantQuota } from '#queue';
import type { SharedQuota } from '#queue';
import { observeTenantShare, openedStore, PeriodicTask, redisLocation, systemClock } from '#service';
import type { GatewayConfiguration } from '#service';
import type { Store } from '#core';
import { FallbackQuota } from './fallback-quota.ts';
import { KnownLimits } from './known-limits.ts';
import { LocalQuota } from './local-quota.ts';
import { TenantLimiter } from './tenant-limiter.ts';
import { TenantRequests } from './tenant-requests.ts';
import { TenantStreams } from './tenant-streams.ts';

/** Milliseconds between two signs of life of a gateway, for it and its event streams. */
const signPause = 20_000;

/** The quota in Redis while the gateway runs. */
class OpenedQuota implements OnApplicationShutdown {
  constructor(readonly shared: SharedQuota) {}

  onApplicationShutdown(): void {
    this.shared.close();
  }
}

/** What keeps tenants to their limits. */
export function tenantLimits(
  configuration: GatewayConfiguration,
  logger: Pick<LoggerService, 'warn' | 'log'>,
): Provider[] {
  return [
    {
      provide: OpenedQuota,
      useFactory: () => {
        const answerTimeout = configuration.TENANT_QUOTA_TIMEOUT_MS;
        return new OpenedQuota(openTenantQuota({ ...redisLocation(configuration), answerTimeout }));
      },
    },
    {
      provide: FallbackQuota,
      inject: [OpenedQuota],
      useFactory: ({ shared }: OpenedQuota) =>
        new FallbackQuota({
          shared,
          local: new LocalQuota(Date.now),
          now: Date.now,
          logger,
          observe: observeTenantShare,
        }),
    },
    {
      provide: TenantStreams,
      inject: [FallbackQuota],
      useFactory: (quota: FallbackQuota) => new TenantStreams(quota),
    },
    {
      provide: TenantLimiter,
      inject: [openedStore, FallbackQuota, TenantStreams],
      useFactory: ({ tenants }: Store, quota: FallbackQuota, streams: TenantStreams) =>
        new TenantLimiter({
          configuration,
          known: new KnownLimits(tenants, systemClock),
          requests: new TenantRequests(quota, Date.now),
          streams,
        }),
    },
    {
      provide: 'sign of life',
      inject: [FallbackQuota, TenantStreams],
      useFactory: (quota: FallbackQuota, streams: TenantStreams) =>
        new PeriodicTask(
          'the sign of life',
          signPause,
          async () => {
            await quota.renew();
            await streams.renew();
          },
          logger,
        ),
    },
  ];
}
