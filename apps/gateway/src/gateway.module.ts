import { Logger, Module } from '@nestjs/common';
import type { DynamicModule, Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, HttpAdapterHost } from '@nestjs/core';
import {
  ConnectionsModule,
  isAccessLimited,
  openedQueue,
  openedStore,
  PeriodicTask,
  publicUrl,
  redisLocation,
  storedDefaults,
  systemClock,
  systemRandom,
} from '#service';
import type { GatewayConfiguration } from '#service';
import { openReplies } from '#queue';
import type { BullQueue } from '#queue';
import type { Store } from '#core';
import { limitedStore, writtenBlocks } from '#items';
import { AccessGuard } from './access/access.guard.ts';
import { Authentication } from './access/authentication.ts';
import type { IssuerTokens } from './access/issuer-tokens.ts';
import { tokenIssuer } from './access/token-issuer.ts';
import type { TokenIssuer } from './access/token-issuer.ts';
import { IssuedKeys } from './access/issued-keys.ts';
import { SuspendedTenants } from './access/suspended-tenants.ts';
import { OpenResponses } from './access/open-responses.ts';
import { AuditController } from './audit/audit.controller.ts';
import { auditProviders } from './audit/audit-providers.ts';
import { AuditTrail } from './audit/audit-trail.ts';
import { observedStore } from './audit/observed-items.ts';
import { ChangesController } from './changes/changes.controller.ts';
import { AllChanges } from './changes/all-changes.ts';
import { ChangeResponses } from './changes/change-responses.ts';
import { ChangesReader } from './changes/changes-reader.ts';
import { LiveStreams } from './changes/live-streams.ts';
import { PublicationWatch } from './changes/publication-watch.ts';
import { CollectionsController } from './collections/collections.controller.ts';
import { endpointBase } from './collections/endpoint-base.ts';
import { CommandsController } from './commands/commands.controller.ts';
import { JobRequests } from './jobs/job-requests.ts';
import { DeadLettersController } from './dead-letters/dead-letters.controller.ts';
import { FeedsController } from './feeds/feeds.controller.ts';
import { ReaderFeedsController } from './feeds/reader-feeds.controller.ts';
import { FilesController } from './files/files.controller.ts';
import { CollectionFilesController } from './files/collection-files.controller.ts';
import { gatewayPorts } from './gateway-ports.ts';
import type { GatewayPorts } from './gateway-ports.ts';
import { HubsController } from './hubs/hubs.controller.ts';
import { IndexController } from './index/index.controller.ts';
import { ItemsController } from './items/items.controller.ts';
import { KeysController } from './keys/keys.controller.ts';
import { MetricsController } from './metrics/metrics.controller.ts';
import { OutlineController } from './outline/outline.controller.ts';
import { PreviewController } from './preview/preview.controller.ts';
import { PreviewRequests } from './preview/preview-requests.ts';
import { ProblemFilter } from './problems/problem.filter.ts';
import { InputPipe } from './requests/input.pipe.ts';
import { renewCertificate } from './requests/renew-certificate.ts';
import { TenantLimiter } from './quota/tenant-limiter.ts';
import { tenantLimits } from './quota/tenant-limits.providers.ts';
import { readerLimits } from './requests/reader-limits.ts';
import { DiscoveredFeedsController } from './subscriptions/discovered-feeds.controller.ts';
import { identityNote } from './subscriptions/signed-elsewhere.ts';
import { SubscriptionsController } from './subscriptions/subscriptions.controller.ts';
import { WatchController } from './subscriptions/watch.controller.ts';
import { TenantsController } from './tenants/tenants.controller.ts';
import { DocumentsController } from './tree/documents.controller.ts';
import { LinksController } from './tree/links.controller.ts';
import { TreeController } from './tree/tree.controller.ts';
import { TreeFeedsController } from './tree/tree-feeds.controller.ts';

/** Milliseconds between two looks at the keys of responses in progress, and at suspended tenants. */
const accessLook = 350;
/** Milliseconds between two records of which keys were used. */
const useRecord = 60_000;

/** What a gateway does not do while Redis is away; whatever needs MongoDB alone goes on. */
const withoutRedis =
  'until it is back, commands wait, edits are stored but not published, refreshed feeds are not ' +
  'fetched, and the limits of tenants apply to each gateway alone';

@Module({})
export class GatewayModule {
  static register(configuration: GatewayConfiguration): DynamicModule {
    const { FEEDMESH_ENDPOINT, GATEWAY_MONGODB_SECONDS, GATEWAY_RETRY_SECONDS } = configuration;
    const logger = new Logger('Gateway');
    const issuer = tokenIssuer(configuration);
    return {
      module: GatewayModule,
      imports: [
        ConnectionsModule.register(configuration, GATEWAY_MONGODB_SECONDS, {
          compose: writtenBlocks({ now: () => systemClock.now(), publicUrl: publicUrl(configuration) }),
          notes: (store) => ({ identity: () => identityNote({ store }) }),
          withoutRedis,
        }),
      ],
      controllers: [
        IndexController,
        MetricsController,
        CollectionsController,
        ItemsController,
        OutlineController,
        SubscriptionsController,
        WatchController,
        DiscoveredFeedsController,
        PreviewController,
        ChangesController,
        ReaderFeedsController,
        FeedsController,
        DeadLettersController,
        CommandsController,
        TreeController,
        DocumentsController,
        TreeFeedsController,
        LinksController,
        FilesController,
        CollectionFilesController,
        KeysController,
        HubsController,
        TenantsController,
        AuditController,
      ],
      providers: [
        {
          provide: gatewayPorts,
          inject: [openedStore, openedQueue, IssuedKeys, SuspendedTenants, TenantLimiter, AuditTrail],
          useFactory: async (
            store: Store,
            queue: BullQueue,
            keys: IssuedKeys,
            suspended: SuspendedTenants,
            limiter: TenantLimiter,
            audit: AuditTrail,
          ): Promise<GatewayPorts> => ({
            store: limitedStore(audit.isOn ? observedStore(store) : store, {
              clock: systemClock,
              defaults: storedDefaults(configuration),
            }),
            audit,
            suspended,
            limiter,
            authentication: new Authentication({
              isRequired: isAccessLimited(configuration),
              keys,
              tokens: issuer && (await issuerTokens(issuer)),
              administratorKey: configuration.AUTH_ADMIN_KEY,
            }),
            jobs: new JobRequests(queue),
            fetches: queue,
            clock: systemClock,
            random: systemRandom,
            publicUrl: publicUrl(configuration),
            endpointBase: () => endpointBase(store, systemRandom, FEEDMESH_ENDPOINT),
            configuration,
            ...readerLimits(configuration),
          }),
        },
        {
          provide: PreviewRequests,
          inject: [openedQueue],
          useFactory: (queue: BullQueue) =>
            new PreviewRequests({
              queue,
              replies: openReplies(redisLocation(configuration)),
              clock: systemClock,
              random: systemRandom,
            }),
        },
        {
          provide: IssuedKeys,
          inject: [openedStore],
          useFactory: ({ accessKeys }: Store) =>
            new IssuedKeys(accessKeys, systemClock, configuration.AUTH_SECRETS ?? []),
        },
        ...tenantLimits(configuration, logger),
        {
          provide: OpenResponses,
          inject: [IssuedKeys, SuspendedTenants],
          useFactory: (keys: IssuedKeys, suspended: SuspendedTenants) =>
            new OpenResponses(keys, suspended, systemClock),
        },
        {
          provide: SuspendedTenants,
          inject: [openedStore],
          useFactory: ({ tenants }: Store) => new SuspendedTenants(tenants, systemClock),
        },
        {
          provide: 'revoked access',
          inject: [OpenResponses],
          useFactory: (open: OpenResponses) =>
            new PeriodicTask('the look at responses in progress', accessLook, () => open.check(), logger),
        },
        {
          provide: 'used keys',
          inject: [openedStore, IssuedKeys],
          useFactory: ({ accessKeys }: Store, keys: IssuedKeys) =>
            new PeriodicTask(
              'recording the use of keys',
              useRecord,
              async () => {
                const used = keys.takeUsed();
                if (used.length > 0) await accessKeys.touch(used, systemClock.now());
              },
              logger,
            ),
        },
        ...(configuration.GATEWAY_TLS_CERT === undefined ? [] : [renewedCertificate(configuration, logger)]),
        ...auditProviders(configuration, logger),
        PublicationWatch,
        ChangesReader,
        AllChanges,
        ChangeResponses,
        LiveStreams,
        { provide: APP_FILTER, useFactory: () => new ProblemFilter(GATEWAY_RETRY_SECONDS) },
        { provide: APP_PIPE, useClass: InputPipe },
        { provide: APP_GUARD, useClass: AccessGuard },
      ],
    };
  }
}

/** Recognises an issuer's tokens by a library that a gateway without one does not load. */
async function issuerTokens(issuer: TokenIssuer): Promise<IssuerTokens> {
  const { IssuerTokens } = await import('./access/issuer-tokens.ts');
  return new IssuerTokens(issuer, systemClock);
}

/** What has the gateway use a certificate that is renewed in its files. */
function renewedCertificate(configuration: GatewayConfiguration, logger: Logger): Provider {
  return {
    provide: 'renewed certificate',
    inject: [HttpAdapterHost],
    useFactory: ({ httpAdapter }: HttpAdapterHost) =>
      new PeriodicTask(
        'reading the certificate',
        configuration.GATEWAY_TLS_RENEW_SECONDS * 1000,
        renewCertificate(() => httpAdapter.getHttpServer() as unknown, configuration),
        logger,
      ),
  };
}
