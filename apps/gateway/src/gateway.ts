import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { Express } from 'express';
import {
  gatewayCertificate,
  gatewaySettings,
  publicUrl,
  queueSpans,
  redisLocation,
  workerSettings,
} from '#service';
import type { Service, GatewayConfiguration } from '#service';
import { BullServer } from '#queue';
import { authenticate } from './access/authenticate.ts';
import { checkEarly } from './access/check-early.ts';
import { withOpenKey, withRemovedKey, withSealedKey } from './access/command-keys.ts';
import { OpenResponses } from './access/open-responses.ts';
import { takeSecretAddress } from './access/secret-address.ts';
import { TrustedProxies } from './access/trusted-proxies.ts';
import { auditRequests, runAsChange } from './audit/audit-requests.ts';
import { allowOrigins } from './browsers/cross-origin-reading.ts';
import { refuseCrossOrigin } from './browsers/cross-origin.ts';
import { hostCheck, refuseHosts } from './browsers/host-names.ts';
import { browserHeaders } from './browsers/response-headers.ts';
import { deadLetterCommand } from './commands/dead-letter-command.ts';
import { serveDocumentation } from './documentation/serve-documentation.ts';
import { sendKeptFeeds } from './feeds/send-kept-feeds.ts';
import { gatewayPorts } from './gateway-ports.ts';
import type { GatewayPorts } from './gateway-ports.ts';
import { GatewayModule } from './gateway.module.ts';
import { answerError } from './problems/answer-error.ts';
import { admitRequests } from './quota/admit-requests.ts';
import { countRequests } from './quota/count-request.ts';
import { HeldRefusals } from './quota/held-refusals.ts';
import { refuseInFront } from './quota/refuse-in-front.ts';
import { TenantPlaces } from './quota/tenant-places.ts';
import { checkMethod } from './requests/allowed-methods.ts';
import { bodyReader } from './requests/body-reader.ts';
import { ConnectionTurns } from './requests/connection-turns.ts';
import { containServer } from './requests/contained-server.ts';
import { cutStalledClients } from './requests/cut-stalled-clients.ts';
import { awaitContinue } from './requests/expectation.ts';
import { answerMalformedRequests } from './requests/malformed-requests.ts';
import { measureRequests } from './requests/measure-requests.ts';
import { putInFront } from './requests/front.ts';
import { requestIdOf } from './requests/request-id.ts';
import { refuseRewrittenPath } from './requests/rewritten-path.ts';
import { traceRequest } from './requests/trace-request.ts';
import { runAsWork } from './requests/write-trace.ts';
import { withoutSecrets } from './subscriptions/requested-credentials.ts';

/** The gateway: HTTP for teams and subscribers, and the queue `commands`. */
export const gateway: Service<typeof gatewaySettings> = {
  name: 'gateway',
  settings: gatewaySettings,
  module: (configuration) => GatewayModule.register(configuration),
  port: ({ PORT }) => PORT,
  certificate(configuration) {
    const files = gatewayCertificate(configuration);
    return files && { ...files, handshakeTimeout: configuration.GATEWAY_STALL_SECONDS * 1000 };
  },
  prepare(application, configuration) {
    const { GATEWAY_BODY_BYTES, GATEWAY_STALL_SECONDS, GATEWAY_JSON_DEPTH, GATEWAY_JSON_VALUES } =
      configuration;
    const express = application.getHttpAdapter().getInstance() as Express;
    express.disable('x-powered-by');
    const server = application.getHttpServer() as Server;
    const turns = new ConnectionTurns();
    const headers = browserHeaders(configuration.GATEWAY_TLS_CERT !== undefined);
    containServer(server, {
      turns,
      prepare: (request, response) =>
        response.setHeaders(headers).setHeader('X-Request-Id', requestIdOf(request)),
      fail: (request, response, error) =>
        answerError(request, response, error, configuration.GATEWAY_RETRY_SECONDS),
    });
    answerMalformedRequests(server, turns);
    const reader = bodyReader(GATEWAY_BODY_BYTES, { depth: GATEWAY_JSON_DEPTH, values: GATEWAY_JSON_VALUES });
    const refusalOfHost = hostCheck(configuration);
    const origins = configuration.GATEWAY_ORIGINS ?? [];
    const ports = application.get<GatewayPorts>(gatewayPorts);
    const proxies = new TrustedProxies(configuration.AUTH_PROXIES ?? [], configuration.AUTH_PROXY_HEADER);
    const held = new HeldRefusals(() => performance.now());
    const admit = admitRequests(tenantPlaces(configuration), held, configuration);
    const open = application.get(OpenResponses);
    putInFront(server, express, [
      refuseInFront({ ...ports, proxies, held, refusalOfHost }),
      takeSecretAddress,
      measureRequests,
      traceRequest,
      auditRequests(ports.audit, proxies, configuration.GATEWAY_RETRY_SECONDS),
      refuseHosts(refusalOfHost),
      allowOrigins(origins),
      refuseCrossOrigin(publicUrl(configuration), origins),
      cutStalledClients(GATEWAY_STALL_SECONDS, ports.reads),
      authenticate(ports.authentication, open, proxies),
      countRequests(ports.limiter, held, configuration.GATEWAY_RETRY_SECONDS),
      admit,
      sendKeptFeeds(ports, open),
    ]);
    application.use(
      refuseRewrittenPath,
      checkMethod(express),
      checkEarly(ports),
      awaitContinue,
      ...reader,
      admit,
      runAsWork,
      runAsChange,
    );
    serveDocumentation(express);
    // So that an installation has its identifier from its first start. If MongoDB is away, it gets it when it
    // is needed.
    ports.endpointBase().catch(() => {});
  },
  strategy: commands,
};

function tenantPlaces(configuration: GatewayConfiguration): TenantPlaces {
  const limits = {
    requests: configuration.GATEWAY_TENANT_REQUESTS,
    waiting: configuration.GATEWAY_TENANT_WAITING,
    wait: configuration.GATEWAY_TENANT_WAIT_SECONDS * 1000,
    slow: configuration.GATEWAY_TENANT_SLOW_SECONDS * 1000,
  };
  return new TenantPlaces(limits, () => performance.now());
}

function commands(application: INestApplication, configuration: GatewayConfiguration): BullServer {
  const { COMMAND_CONCURRENCY } = configuration;
  const ports = application.get<GatewayPorts>(gatewayPorts);
  return new BullServer({
    ...redisLocation(configuration),
    queues: { commands: { concurrency: COMMAND_CONCURRENCY } },
    settings: workerSettings(configuration),
    ...queueSpans(),
    keeping: {
      open: (job, data) => withOpenKey(configuration, job, data),
      close: (job, data) =>
        withSealedKey(configuration, job, withoutSecrets(configuration.CREDENTIALS_KEYS ?? [], data)),
      end: withRemovedKey,
    },
    rejected: (name, data, reasons) => deadLetterCommand(ports, name, data, reasons),
  });
}
