import { LatestEntries } from '#core';

/** For how many milliseconds a refusal is held: the least that `Retry-After` has a client wait. */
const delay = 1000;
/** How many refusals of a tenant in a second are sent at once. */
const promptRefusals = 10;
/** How many refusals of one tenant, and of all, are held at the most; further ones are sent at once. */
const [heldOfTenant, heldOfAll] = [100, 500];
/** How many are sent at once at the most, and milliseconds between: clients that wait together are spread. */
const [sentTogether, pause] = [10, 10];
/** How many tenants are known at the most; those that came last. */
const maximumTenants = 10_000;

interface Tenant {
  /** The second in which `prompt` refusals were sent at once, from `since` on. */
  since: number;
  prompt: number;
  held: number;
}

interface Held {
  readonly tenant: Tenant;
  readonly send: () => void;
  readonly dueAt: number;
}

/**
 * Sends refusals, and holds most of them for a second if a tenant gets many: a client that sends its next
 * request once the last one is answered, and does not heed `Retry-After`, is slowed down by that. Responses
 * are held, and not connections: a proxy has requests of other tenants on the same ones.
 */
export class HeldRefusals {
  readonly #now: () => number;
  readonly #tenants = new LatestEntries<string, Tenant>(maximumTenants);
  /** In the order in which they are due. */
  readonly #held = new Set<Held>();
  #isWaiting = false;

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
    if (tenant.held >= heldOfTenant || this.#held.size >= heldOfAll) return send();
    tenant.held += 1;
    this.#held.add({ tenant, send, dueAt: now + delay });
    this.#wait(delay);
  }

  #tenantOf(name: string, now: number): Tenant {
    let tenant = this.#tenants.get(name);
    if (tenant === undefined) {
      tenant = { since: now, prompt: 0, held: 0 };
      this.#tenants.set(name, tenant);
    } else if (now - tenant.since >= 1000) Object.assign(tenant, { since: now, prompt: 0 });
    return tenant;
  }

  #wait(milliseconds: number): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => this.#release(), milliseconds);
  }

  #release(): void {
    this.#isWaiting = false;
    let sent = 0;
    for (const held of this.#held) {
      const left = held.dueAt - this.#now();
      if (left > 0 || sent === sentTogether) return this.#wait(Math.max(pause, left));
      this.#held.delete(held);
      held.tenant.held -= 1;
      held.send();
      sent += 1;
    }
  }
}
