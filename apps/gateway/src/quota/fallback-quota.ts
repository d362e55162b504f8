import type { LoggerService } from '@nestjs/common';
import type { BucketLimits, TenantQuota, TokenGrant } from '#core';

/** Milliseconds between two looks at whether Redis is back. */
const lookPause = 1000;

/** The quota that all gateways share. */
interface Shared extends TenantQuota {
  renew(): Promise<number>;
}

interface FallbackPorts {
  readonly shared: Shared;
  readonly local: TenantQuota;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Pick<LoggerService, 'warn' | 'log'>;
  /** Called with whether the limits hold for this gateway alone, whenever that changes. */
  readonly observe: (isLocal: boolean) => void;
}

/**
 * The quota that all gateways share; while Redis is away, this gateway keeps to its own share of it: what the
 * limits give to each of the gateways that there were last, and one event stream at the least.
 */
export class FallbackQuota implements TenantQuota {
  readonly #ports: FallbackPorts;
  #gateways = 1;
  #isLocal = false;
  #lookAt = 0;

  constructor(ports: FallbackPorts) {
    this.#ports = ports;
  }

  async lease(tenant: string, { rate, burst }: BucketLimits, wanted: number): Promise<TokenGrant> {
    const { shared, local } = this.#ports;
    const granted = await this.#ask(() => shared.lease(tenant, { rate, burst }, wanted));
    const share = { rate: rate / this.#gateways, burst: Math.max(1, burst / this.#gateways) };
    return granted ?? local.lease(tenant, share, wanted);
  }

  async openStreams(tenant: string, own: number, most?: number): Promise<boolean> {
    const { shared, local } = this.#ports;
    const recorded = await this.#ask(() => shared.openStreams(tenant, own, most));
    if (recorded !== undefined) return recorded;
    const share = most && Math.max(1, Math.floor(most / this.#gateways));
    return local.openStreams(tenant, own, share);
  }

  /** Counts the gateways, and says that this one lives; to be called from time to time. */
  async renew(): Promise<void> {
    const gateways = await this.#ask(() => this.#ports.shared.renew());
    this.#gateways = Math.max(1, gateways ?? this.#gateways);
  }

  /** Returns undefined if Redis does not answer, or did not: nobody waits to see if it is back. */
  async #ask<T>(question: () => Promise<T>): Promise<T | undefined> {
    if (this.#isLocal) {
      this.#look();
      return undefined;
    }
    try {
      return await question();
    } catch (error) {
      if (!this.#isLocal) this.#change(true, String(error));
      return undefined;
    }
  }

  #look(): void {
    const now = this.#ports.now();
    if (now < this.#lookAt) return;
    this.#lookAt = now + lookPause;
    this.#ports.shared.renew().then(
      (gateways) => {
        this.#gateways = Math.max(1, gateways);
        this.#change(false);
      },
      () => {},
    );
  }

  #change(isLocal: boolean, reason = ''): void {
    if (this.#isLocal === isLocal) return;
    this.#isLocal = isLocal;
    this.#lookAt = this.#ports.now() + lookPause;
    const { logger, observe } = this.#ports;
    observe(isLocal);
    if (isLocal)
      logger.warn(
        `Redis is away: a share of 1 in ${this.#gateways} of each tenant's limits holds here: ${reason}`,
      );
    else logger.log('the limits of tenants hold for all gateways together again');
  }
}
