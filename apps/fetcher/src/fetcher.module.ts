import { Inject, Logger, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationShutdown } from '@nestjs/common';
import {
  ConnectionsModule,
  countRefusal,
  hubCallbacks,
  MetricsController,
  openedQueue,
  openedStore,
  PeriodicTask,
  recordedFetches,
  redisLocation,
  storedDefaults,
  systemClock,
  systemRandom,
  tracedHttp,
} from '#service';
import type { FetcherConfiguration } from '#service';
import { budgetRenewal, openHostBudget, openReplies } from '#queue';
import type { BullQueue, SharedBudget } from '#queue';
import { createHttpFetch } from '#http-fetch';
import { limitedStore } from '#items';
import type { HttpFetch, HttpPost, JobQueue, Store } from '#core';
import { hostLimits, httpLimits, scanLimits, sharedHostLimits, treeSettings } from './fetch-limits.ts';
import { Robots } from './discovery/robots.ts';
import { FetchHandler, fetchPorts, fetchSettings } from './fetch.handler.ts';
import type { FetchPorts } from './fetch-ports.ts';
import type { FetchSettings } from './fetch-settings.ts';
import { afterPause, returnSpread } from './hosts/admit-fetch.ts';
import { Hosts } from './hosts/hosts.ts';
import { HostsController } from './hosts/hosts.controller.ts';
import { SharedHosts } from './hosts/shared-hosts.ts';
import { hideAddresses } from './hosts/hide-addresses.ts';
import { watchHosts, watchPosts } from './hosts/watched-http.ts';
import type { HostRecords } from './hosts/watched-http.ts';
import { requestHubs } from './hubs/request-hubs.ts';
import type { HubPorts, HubSettings } from './hubs/request-hubs.ts';
import { LeftFetches } from './left-fetches.ts';
import { ReadingPlaces } from './reading-places.ts';
import { reconcileManifests } from './reconcile-fetches.ts';
import { ServicePolls } from './service-polls.ts';
import { SlowPlaces } from './slow/slow-places.ts';
import { SubscriberCounts } from './subscriber-counts.ts';
import { PreviewHandler, replies } from './preview/preview.handler.ts';
import { DownloadHandler } from './tree/download.handler.ts';
import { WalkPlaces } from './tree/walk-places.ts';
import { TenantFetches } from './tenant-fetches.ts';
import { UnchangedFetches } from './unchanged-fetches.ts';
import { WorkProcess } from './plain-work/work-process.ts';

const httpFetch = Symbol('HttpFetch');
const guardedHttp = Symbol('what tenants may see of HttpFetch');
const sharedBudget = Symbol('SharedBudget');

@Module({})
export class FetcherModule implements OnApplicationShutdown {
  constructor(
    @Inject(httpFetch) private readonly http: ReturnType<typeof createHttpFetch>,
    @Inject(sharedBudget) private readonly budget: SharedBudget,
    private readonly work: WorkProcess,
    @Inject(replies) private readonly answers: ReturnType<typeof openReplies>,
  ) {}

  static register(configuration: FetcherConfiguration): DynamicModule {
    const callbacks = hubCallbacks(configuration);
    const settings: FetchSettings = {
      batch: {
        items: configuration.FETCH_BATCH_ITEMS,
        characters: configuration.FETCH_BATCH_CHARACTERS,
        backlog: configuration.FETCH_BACKLOG,
      },
      lease: configuration.FETCH_LEASE_MS,
      adoptedLength: configuration.FETCH_ADOPTED_LENGTH,
      markupLength: configuration.FETCH_MARKUP_LENGTH,
      retryAfterLimit: configuration.FETCH_RETRY_AFTER_SECONDS,
      movedAfter: configuration.FETCH_MOVED_SECONDS * 1000,
      unconditionalEvery: configuration.FETCH_UNCONDITIONAL_SECONDS * 1000,
      comparedBytes: configuration.FETCH_COMPARED_BYTES,
      scan: scanLimits(configuration),
      tree: treeSettings(configuration),
      ...(callbacks !== undefined && { callbacks }),
    };
    const hubs: HubSettings = {
      ...(callbacks !== undefined && { callbacks }),
      lease: configuration.WEBSUB_LEASE_SECONDS,
      retry: configuration.WEBSUB_RETRY_SECONDS,
    };
    const limits = {
      stalled: configuration.FETCH_STALLED_MS,
      maximumStalled: configuration.FETCH_MAXIMUM_STALLED_MS,
      limit: 100,
    };
    const logger = new Logger('Fetcher');
    const grace = configuration.SHUTDOWN_GRACE_SECONDS * 1000;
    const repeat = (name: string, pause: number, work: (ports: FetchPorts) => Promise<void>) => ({
      provide: Symbol(name),
      inject: [fetchPorts],
      useFactory: (ports: FetchPorts) => new PeriodicTask(name, pause, () => work(ports), logger, grace),
    });
    const walks = new WalkPlaces(
      Math.max(1, Math.min(configuration.TREE_WALKS, configuration.FETCH_CONCURRENCY - 1)),
    );
    const slow = new SlowPlaces(configuration.FETCH_POLLS);
    return {
      module: FetcherModule,
      imports: [ConnectionsModule.register(configuration, configuration.MONGODB_TIMEOUT_SECONDS)],
      controllers: [FetchHandler, DownloadHandler, PreviewHandler, HostsController, MetricsController],
      providers: [
        {
          provide: Hosts,
          inject: [openedStore, openedQueue],
          useFactory: (store: Store, queue: JobQueue) => openHosts(configuration, store, queue),
        },
        {
          provide: SharedHosts,
          inject: [Hosts, sharedBudget],
          useFactory: (hosts: Hosts, budget: SharedBudget) =>
            new SharedHosts(sharedHostLimits(configuration), { budget, hosts, clock: systemClock }),
        },
        {
          provide: sharedBudget,
          useFactory: () => {
            const answerTimeout = configuration.FETCH_BUDGET_TIMEOUT_MS;
            return openHostBudget({ ...redisLocation(configuration), answerTimeout });
          },
        },
        { provide: replies, useFactory: () => openReplies(redisLocation(configuration)) },
        {
          provide: Symbol('the sign of life'),
          inject: [sharedBudget],
          useFactory: (budget: SharedBudget) =>
            new PeriodicTask('the sign of life', budgetRenewal, () => budget.renew(), logger, grace),
        },
        {
          provide: httpFetch,
          inject: [Hosts, SharedHosts],
          useFactory: (slots: Hosts, shared: SharedHosts) =>
            createHttpFetch({
              ...httpLimits(configuration),
              slots,
              admit: (url: string) => shared.admit(url),
            }),
        },
        {
          provide: WorkProcess,
          useFactory: () => new WorkProcess(systemClock),
        },
        {
          provide: guardedHttp,
          inject: [httpFetch],
          useFactory: (http: HttpFetch & HttpPost) => {
            const traced = tracedHttp(http);
            const both: HttpFetch & HttpPost = {
              get: (request) => traced.get(request),
              post: (request) => http.post(request),
            };
            return hideAddresses(both, (detail) => logger.warn(detail));
          },
        },
        {
          provide: fetchPorts,
          inject: [openedStore, openedQueue, guardedHttp, Hosts, SharedHosts, sharedBudget, WorkProcess],
          useFactory: (
            opened: Store,
            queue: BullQueue,
            http: FetchPorts['http'],
            hosts: Hosts,
            shared: SharedHosts,
            budget: SharedBudget,
            work: WorkProcess,
          ): FetchPorts => {
            const store = recordedFetches(opened, queue);
            return {
              store: limitedStore(store, {
                clock: systemClock,
                defaults: storedDefaults(configuration),
                refused: ({ tenant, what }) => countRefusal(tenant, what),
              }),
              queue,
              http: watchHosts(http, hostRecords(hosts, shared)),
              credentialKeys: configuration.CREDENTIALS_KEYS ?? [],
              clock: systemClock,
              random: systemRandom,
              polls: budget.polls,
              subscribers: new SubscriberCounts({ store, clock: systemClock }),
              unchanged: new UnchangedFetches({ store, clock: systemClock }),
              robots: new Robots(httpLimits(configuration).userAgent, systemClock),
              reading: new ReadingPlaces(configuration.FETCH_CONCURRENCY, systemClock),
              work,
              hosts,
              tenants: new TenantFetches({
                store,
                budget,
                clock: systemClock,
                random: systemRandom,
                perMinute: configuration.TENANT_FETCHES_PER_MINUTE,
                delayed: (tenant) => countRefusal(tenant, 'fetchesPerMinute'),
              }),
              left: new LeftFetches(),
              slow,
              walks,
            };
          },
        },
        { provide: fetchSettings, useValue: settings },
        {
          provide: ServicePolls,
          inject: [fetchPorts],
          useFactory: (ports: FetchPorts) =>
            new ServicePolls(
              grace,
              slow,
              ports,
              { ...settings, polls: configuration.FETCH_POLLS },
              ({ collection, id }, error) =>
                logger.warn(
                  `the fetch of ${collection}/${id} was interrupted and begins again: ${String(error)}`,
                ),
            ),
        },
        {
          provide: Symbol('the schedule'),
          inject: [ServicePolls],
          useFactory: (polls: ServicePolls) =>
            new PeriodicTask(
              'the schedule',
              configuration.FETCH_SCHEDULE_MS,
              () => polls.look(),
              logger,
              grace,
            ),
        },
        {
          provide: Symbol('the requests to hubs'),
          inject: [openedStore, guardedHttp, Hosts, SharedHosts],
          useFactory: (store: Store, http: HttpPost, hosts: Hosts, shared: SharedHosts) => {
            const ports: HubPorts = {
              store,
              http: watchPosts(http, hostRecords(hosts, shared)),
              clock: systemClock,
              random: systemRandom,
              hosts,
              slow,
            };
            let isFirst = true;
            return new PeriodicTask(
              'the requests to hubs',
              configuration.WEBSUB_SCHEDULE_MS,
              async () => {
                // The settings may be others than before.
                if (isFirst) await store.hubs.wakeOthers(callbacks, systemClock.now());
                isFirst = false;
                await requestHubs(ports, hubs);
              },
              logger,
              grace,
            );
          },
        },
        repeat('the search for interrupted fetches', configuration.FETCH_RECONCILE_MS, (ports) =>
          reconcileManifests(ports, limits),
        ),
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
    this.work.close();
    this.budget.close();
    this.answers.close();
  }
}

/** Where it is recorded how hosts respond. */
function hostRecords(hosts: Hosts, shared: SharedHosts): HostRecords {
  return {
    succeeded: (host) => hosts.succeeded(host),
    failed: (host, reason) => hosts.failed(host, reason),
    slowed: (url, retryAfter) => void shared.slowed(url, retryAfter),
  };
}

function openHosts(configuration: FetcherConfiguration, store: Store, queue: JobQueue): Hosts {
  const logger = new Logger('Fetcher');
  return new Hosts(hostLimits(configuration), {
    clock: systemClock,
    random: systemRandom,
    // What is lost here is still due, or is sent again by its walk.
    send: (jobs) => void queue.send(jobs).catch(() => {}),
    paused: (host, pause) => {
      logger.warn(`${pause.reason}; it is left alone until ${pause.until.toISOString()}`);
      const spread = returnSpread(pause, systemClock.now());
      store.subscriptions.postponeHost(host, afterPause(pause), spread).catch((error: unknown) => {
        logger.warn(`the subscriptions at ${host} were not postponed, and are one by one: ${String(error)}`);
      });
    },
  });
}
