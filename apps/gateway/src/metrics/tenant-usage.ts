import type { GatewayPorts } from '../gateway-ports.ts';
import { limitsOf } from '../tenants/tenant-limits.ts';

/** How many tenants are shown, the first ones by name. */
const shownTenants = 100;
/** Milliseconds after which what is known is read again, and after which it is shown no more. */
const [age, oldest] = [60_000, 600_000];

const help = {
  usage: 'What a tenant has of what has a limit, of the first 100 tenants by name.',
  limit: 'What a tenant may have and do, of the first 100 tenants by name.',
};

type Ports = Pick<GatewayPorts, 'store' | 'configuration' | 'clock' | 'reads'>;

/** What tenants have, beside their limits, in Prometheus's text format (0.0.4). */
export class TenantUsages {
  readonly #ports: Ports;
  #text = '';
  #readAt = -Infinity;
  #isReading = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /**
   * Returns what was read last, and reads it again if that was more than a minute ago; so nobody waits for
   * it, and the first call returns nothing. Nothing is returned either once the store is away for long.
   */
  text(): string {
    const passed = this.#ports.clock.now().getTime() - this.#readAt;
    if (passed >= age && !this.#isReading) {
      this.#isReading = true;
      // While the store is away, what is known stays known for a while.
      void this.#read()
        .catch(() => {})
        .finally(() => (this.#isReading = false));
    }
    return passed < oldest ? this.#text : '';
  }

  async #read(): Promise<void> {
    const { store, clock, reads } = this.#ports;
    const [usages, limits]: [string[], string[]] = [[], []];
    // As what reads much is: few at a time, so that others wait for little.
    for (const tenant of await reads.run(() => store.tenants.list({ limit: shownTenants }))) {
      const usage = await reads.run(() => store.tenants.usage(tenant.name));
      usages.push(...series('usage', tenant.name, usage));
      limits.push(...series('limit', tenant.name, limitsOf(this.#ports, tenant)));
    }
    const kinds = [...metric('usage', usages), ...metric('limit', limits)];
    this.#text = usages.length === 0 ? '' : `${kinds.join('\n')}\n`;
    this.#readAt = clock.now().getTime();
  }
}

type Kind = keyof typeof help;

function metric(kind: Kind, lines: readonly string[]): string[] {
  const name = `feedmesh_tenant_${kind}`;
  return [`# HELP ${name} ${help[kind]}`, `# TYPE ${name} gauge`, ...lines];
}

function series(kind: Kind, tenant: string, values: object): string[] {
  return Object.entries(values).map(
    ([limit, value]) => `feedmesh_tenant_${kind}{tenant="${tenant}",limit="${limit}"} ${String(value)}`,
  );
}
