/** For how many milliseconds after a request of one tenant the others share the gateway with it. */
const sharedTime = 60_000;

/** Knows of the tenants that send requests whether there is more than one. */
export class LatestTenants {
  #latest = '';
  #latestAt = -Infinity;
  /** When a tenant other than the latest one sent a request last. */
  #otherAt = -Infinity;

  /** Notes a request of a tenant at `now`, in milliseconds. */
  note(tenant: string, now: number): void {
    if (tenant !== this.#latest) {
      this.#otherAt = this.#latestAt;
      this.#latest = tenant;
    }
    this.#latestAt = now;
  }

  /** Whether another tenant than this one has sent a request within the last minute. */
  hasOther(tenant: string, now: number): boolean {
    const at = tenant === this.#latest ? this.#otherAt : this.#latestAt;
    return now - at < sharedTime;
  }
}
