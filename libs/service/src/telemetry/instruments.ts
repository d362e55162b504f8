import { Counter, Gauge, Histogram } from 'prom-client';

/**
 * What a process counts. No label holds the name of a collection, a host or an item: their number has no
 * bound. That of a tenant is a label, of a hundred tenants at the most. `docs/operations.md` lists all of it.
 */

/** Seconds, from a fast read of the store to a slow fetch. */
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Seconds, from no delay to an hour. */
const delays = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];

export const fetches = new Counter({
  name: 'feedmesh_fetches_total',
  help: 'Fetches that have ended, by outcome and, if they failed, by the rule that was broken.',
  labelNames: ['outcome', 'rule'],
});

export const scheduleDelay = new Histogram({
  name: 'feedmesh_schedule_delay_seconds',
  help: 'How long after its time a subscription that was due or requested was taken up.',
  buckets: delays,
});

export const itemsFetched = new Counter({
  name: 'feedmesh_items_fetched_total',
  help: 'Items in the feeds of fetches that have ended.',
});

export const itemsRejected = new Counter({
  name: 'feedmesh_items_rejected_total',
  help: 'Items that became dead letters, by the first rule that they break.',
  labelNames: ['rule'],
});

export const itemsWritten = new Counter({
  name: 'feedmesh_items_written_total',
  help: 'New revisions of items, merged or edited here.',
});

export const racesLost = new Counter({
  name: 'feedmesh_item_races_total',
  help: 'Items that were decided again because somebody else had changed them meanwhile.',
});

export const changes = new Counter({
  name: 'feedmesh_changes_total',
  help: 'Published changes by type of event; conflicted and resolved ones are types.',
  labelNames: ['type'],
});

export const eventDelay = new Histogram({
  name: 'feedmesh_event_delay_seconds',
  help: 'How long after its item was written a change was on the event stream.',
  buckets: delays,
});

export const leasesLost = new Counter({
  name: 'feedmesh_leases_lost_total',
  help: 'Leases that somebody else had taken over before the work under them was done, by what was leased.',
  labelNames: ['of'],
});

export const storeSeconds = new Histogram({
  name: 'feedmesh_store_seconds',
  help: 'How long calls of the store take, by what they concern.',
  labelNames: ['port'],
  buckets: seconds,
});

export const storeErrors = new Counter({
  name: 'feedmesh_store_errors_total',
  help: 'Calls of the store that failed, by what they concern.',
  labelNames: ['port'],
});

export const hubRequests = new Counter({
  name: 'feedmesh_hub_requests_total',
  help: 'Requests to the hubs of feeds, by what for (subscribe, unsubscribe) and outcome.',
  labelNames: ['mode', 'outcome'],
});

export const hubCalls = new Counter({
  name: 'feedmesh_hub_calls_total',
  help: 'Calls by hubs, by kind (subscribe, unsubscribe, denied, announcement) and outcome.',
  labelNames: ['kind', 'outcome'],
});

export const requestSeconds = new Histogram({
  name: 'feedmesh_http_request_seconds',
  help: 'How long the gateway took for a request, by method, path of the operation, and class of status.',
  labelNames: ['method', 'path', 'status'],
  buckets: seconds,
});

export const tenantRefusals = new Counter({
  name: 'feedmesh_tenant_refusals_total',
  help: 'Requests that were refused at a limit of a tenant, by tenant (100 of them, and others) and limit.',
  labelNames: ['tenant', 'limit'],
});

export const leasedRequests = new Counter({
  name: 'feedmesh_tenant_requests_leased_total',
  help: 'Requests that this process leased to let them through, by tenant (100 of them, and others).',
  labelNames: ['tenant'],
});

export const waitingRequests = new Gauge({
  name: 'feedmesh_tenant_requests_waiting',
  help: 'Requests that wait for others of their tenant, while other tenants send some too.',
});

export const tenantWaitSeconds = new Histogram({
  name: 'feedmesh_tenant_wait_seconds',
  help: 'How long requests waited for others of their tenant; those that did not wait are not counted.',
  buckets: seconds,
});

export const tenantShare = new Gauge({
  name: 'feedmesh_tenant_limits_local',
  help: 'Whether the gateway keeps to its own share of the limits of tenants, as Redis is away: 1 or 0.',
});
