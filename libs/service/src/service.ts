import type { Server } from 'node:http';
import { Logger } from '@nestjs/common';
import type {
  DynamicModule,
  INestApplication,
  LoggerService,
  NestApplicationOptions,
  Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import type { z } from 'zod';
import { ConfigurationError, readConfiguration } from './settings/configuration.ts';
import type { serviceSettings } from './settings/service-settings.ts';
import { startTracing } from './telemetry/tracing.ts';
import { endOnFaults } from './contained-work.ts';
import type { FaultyProcess } from './contained-work.ts';
import { growHeapInSmallSteps } from './heap.ts';
import { HttpDrain } from './http-drain.ts';
import { logFormat, ServiceLogger } from './logger.ts';
import { ServiceModule, Shutdown } from './shutdown.ts';
import { endOnSignals } from './termination.ts';
import type { EndingProcess } from './termination.ts';

/** All that one service is, besides what its module holds. */
export interface Service<Schema extends typeof serviceSettings> {
  /** Stands in every log record. */
  readonly name: string;
  /** `serviceSettings`, or an extension of them. */
  readonly settings: Schema;
  readonly module: (configuration: z.output<Schema>) => Type | DynamicModule;
  /** Where HTTP listens: the health pages, and whatever else the module serves. */
  readonly port: (configuration: z.output<Schema>) => number;
  /** The certificate of HTTP; without one, or with none, requests come without TLS. */
  readonly certificate?: (configuration: z.output<Schema>) => NestApplicationOptions['httpsOptions'];
  /** The transport that brings messages to the module's handlers. */
  readonly strategy?: (
    application: INestApplication,
    configuration: z.output<Schema>,
  ) => CustomTransportStrategy;
  /** Runs once the module stands and before anything listens: pipes, filters, documentation. */
  readonly prepare?: (application: INestApplication, configuration: z.output<Schema>) => void | Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The part of a process that a service is run by. */
type ServiceHost = EndingProcess &
  FaultyProcess & {
    readonly env: Environment;
    readonly stderr: { write(text: string): unknown };
  };

/**
 * Starts a service: HTTP first, so that health can be asked, then the transport. `close` takes no more
 * requests and messages, lets those in progress finish for `SHUTDOWN_GRACE_SECONDS`, and cuts the rest;
 * only then come the `OnApplicationShutdown` hooks, where queues and stores are closed. Throws
 * `ConfigurationError`, and what the module or a listener throws.
 */
export async function startService<Schema extends typeof serviceSettings>(
  service: Service<Schema>,
  environment: Environment,
): Promise<INestApplication> {
  const configuration = readConfiguration(service.settings, environment);
  const logger = new ServiceLogger(service.name, configuration.LOG_LEVEL, logFormat(configuration));
  const shutdown = new Shutdown(configuration.SHUTDOWN_GRACE_SECONDS * 1000);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: traces } = configuration;
  // Before anything is opened that may be traced.
  if (traces !== undefined) await startTracing(service.name, traces);
  const module = ServiceModule.register(service.module(configuration), shutdown);
  const certificate = service.certificate?.(configuration);
  const application = await NestFactory.create(module, {
    logger,
    abortOnError: false,
    ...(certificate && { httpsOptions: certificate }),
  });
  try {
    await service.prepare?.(application, configuration);
    const keepAlive = configuration.KEEP_ALIVE_SECONDS * 1000;
    drainHttp(application.getHttpServer() as Server, shutdown, keepAlive, logger);
    await application.listen(service.port(configuration), configuration.HOST);
    if (service.strategy !== undefined) {
      const strategy = drainTransport(service.strategy(application, configuration), shutdown);
      application.connectMicroservice({ strategy }, { inheritAppConfig: true });
      await application.startAllMicroservices();
    }
    logger.log('started', { url: await application.getUrl() });
    return application;
  } catch (error) {
    await application.close();
    throw error;
  }
}

function drainHttp(server: Server, shutdown: Shutdown, keepAlive: number, logger: LoggerService): void {
  server.keepAliveTimeout = keepAlive;
  // Above it, or a request that comes over a kept connection at its end would be answered with 408.
  server.headersTimeout = keepAlive + 5000;
  const http = new HttpDrain(server);
  shutdown.onAnnounced(() => http.endKeepAlive());
  shutdown.add(async (grace) => {
    const cut = await http.close(grace);
    if (cut > 0) logger.warn(`requests cut after ${grace / 1000} s (SHUTDOWN_GRACE_SECONDS): ${cut}`);
  });
}

/** A transport that is closed along with HTTP, and once: Nest would close it after that. */
function drainTransport(strategy: CustomTransportStrategy, shutdown: Shutdown): CustomTransportStrategy {
  const close = strategy.close.bind(strategy) as () => unknown;
  let closed: Promise<unknown> | undefined;
  strategy.close = () => (closed ??= Promise.resolve(close()));
  shutdown.add(async () => void (await strategy.close()));
  return strategy;
}

/**
 * The whole of a service's `main.ts`: starts it and ends it, or says on standard error why it can't be
 * started and ends with 1.
 */
export async function runService<Schema extends typeof serviceSettings>(
  service: Service<Schema>,
  host: ServiceHost = process,
): Promise<void> {
  growHeapInSmallSteps();
  endOnFaults(new Logger('Process'), host);
  try {
    const application = await startService(service, host.env);
    const { SHUTDOWN_DELAY_SECONDS, SHUTDOWN_GRACE_SECONDS } = readConfiguration(service.settings, host.env);
    const times = { delay: SHUTDOWN_DELAY_SECONDS * 1000, grace: SHUTDOWN_GRACE_SECONDS * 1000 };
    endOnSignals(application, times, new Logger('Shutdown'), host);
  } catch (error) {
    const reason =
      error instanceof ConfigurationError
        ? error.message
        : String(error instanceof Error ? error.stack : error);
    host.stderr.write(`${service.name} could not start: ${reason}\n`);
    host.exit(1);
  }
}
