import { LatestEntries } from '#core';

/**
 * For how many milliseconds a refusal is held, the least that `Retry-After` has a client wait, and how many
 * more at the most.
 */
const [delay, spread] = [1000, 1000];
/** The part of `spread` that one is held for longer than the last, or less: consecutive ones part evenly. */
const goldenSection = (Math.sqrt(5) - 1) / 2;
/** How many refusals of a tenant in a second are sent at once. */
const promptRefusals = 10;
/** How many refusals of one tenant, and of all, are held at the most; further ones are sent at once. */
const [heldOfTenant, heldOfAll] = [100, 500];
/** How many tenants are known at the most; those that came last. */
const maximumTenants = 10_000;

interface Tenant {
  /** The second in which `prompt` refusals were sent at once, from `since` on. */
  since: number;
  prompt: number;
  held: number;
}

/**
 * Sends refusals, and holds most of them for a second or two if a tenant gets many: a client that sends its
 * next request once the last one is answered, and does not heed `Retry-After`, is slowed down by that. Those
 * that come together are not sent together, as their clients would come back together each time. Responses
 * are held, and not connections: a proxy has requests of other tenants on the same ones.
 */
export class HeldRefusals {
  readonly #now: () => number;
  readonly #tenants = new LatestEntries<string, Tenant>(maximumTenants);
  #held = 0;
  /** Which part of `spread` the last one is held for longer. */
  #part = 0;

  /** @param now in milliseconds since any moment */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Sends a refusal of a tenant, now or within a second or two.
   * @param send must not throw; called also if the client has gone meanwhile
   */
  send(name: string, send: () => void): void {
    const now = this.#now();
    const tenant = this.#tenantOf(name, now);
    if (tenant.prompt < promptRefusals) {
      tenant.prompt += 1;
      return send();
    }
    if (tenant.held >= heldOfTenant || this.#held >= heldOfAll) return send();
    tenant.held += 1;
    this.#held += 1;
    this.#part = (this.#part + goldenSection) % 1;
    setTimeout(
      () => {
        tenant.held -= 1;
        this.#held -= 1;
        send();
      },
      delay + spread * this.#part,
    );
  }

  #tenantOf(name: string, now: number): Tenant {
    let tenant = this.#tenants.get(name);
    if (tenant === undefined) {
      tenant = { since: now, prompt: 0, held: 0 };
      this.#tenants.set(name, tenant);
    } else if (now - tenant.since >= 1000) Object.assign(tenant, { since: now, prompt: 0 });
    return tenant;
  }
}
