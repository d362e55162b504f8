import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import type { z } from 'zod';
import { ConfigurationError, readConfiguration } from '#configuration';
import type { serviceSettings } from '#configuration';
import { growHeapInSmallSteps } from './heap.ts';
import { ServiceLogger } from './logger.ts';

/** All that one service is, besides what its module holds. */
export interface Service<Schema extends typeof serviceSettings> {
  /** Stands in every log record. */
  readonly name: string;
  /** `serviceSettings`, or an extension of them. */
  readonly settings: Schema;
  readonly module: (configuration: z.output<Schema>) => Type | DynamicModule;
  /** Where HTTP listens: the health pages, and whatever else the module serves. */
  readonly port: (configuration: z.output<Schema>) => number;
  /** The transport that brings messages to the module's handlers. */
  readonly strategy?: (application: INestApplication, configuration: z.output<Schema>) => CustomTransportStrategy;
  /** Runs once the module stands and before anything listens: pipes, filters, documentation. */
  readonly prepare?: (application: INestApplication, configuration: z.output<Schema>) => void | Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Starts a service: HTTP first, so that health can be asked, then the transport. A signal to end, and `close`, end HTTP
 * and the transport first and let running messages finish; only then come the `OnApplicationShutdown` hooks, where
 * queues and stores are closed. Throws `ConfigurationError`, and what the module or a listener throws.
 */
export async function startService<Schema extends typeof serviceSettings>(service: Service<Schema>, environment: Environment): Promise<INestApplication> {
  const configuration = readConfiguration(service.settings, environment);
  const logger = new ServiceLogger(service.name, configuration.LOG_LEVEL);
  const application = await NestFactory.create(service.module(configuration), { logger, abortOnError: false });
  try {
    application.enableShutdownHooks();
    await service.prepare?.(application, configuration);
    await application.listen(service.port(configuration), configuration.HOST);
    if (service.strategy !== undefined) {
      application.connectMicroservice({ strategy: service.strategy(application, configuration) }, { inheritAppConfig: true });
      await application.startAllMicroservices();
    }
    logger.log('ready', { url: await application.getUrl() });
    return application;
  } catch (error) {
    await application.close();
    throw error;
  }
}

/** The whole of a service's `main.ts`: starts it, or says on standard error why it can't be started and ends with 1. */
export async function runService<Schema extends typeof serviceSettings>(
  service: Service<Schema>,
  host: { readonly env: Environment; readonly stderr: { write(text: string): unknown }; exit(code: number): unknown } = process,
): Promise<void> {
  growHeapInSmallSteps();
  try {
    await startService(service, host.env);
  } catch (error) {
    const reason = error instanceof ConfigurationError ? error.message : String(error instanceof Error ? error.stack : error);
    host.stderr.write(`${service.name} could not start: ${reason}\n`);
    host.exit(1);
  }
}
