import type { INestApplication } from '@nestjs/common';
import type { Express } from 'express';
import { BullServer } from '#queue';
import type { Service } from '#runtime';
import { gatewaySettings } from '#settings';
import type { GatewayConfiguration } from '#settings';
import { buryCommand } from './commands/bury-command.ts';
import { serveDocumentation } from './documentation.ts';
import { gatewayPorts } from './gateway-ports.ts';
import type { GatewayPorts } from './gateway-ports.ts';
import { GatewayModule } from './gateway.module.ts';
import { bodyReader } from './requests/body-reader.ts';

/** The gateway: HTTP for teams and subscribers, and the queue `commands`. */
export const gateway: Service<typeof gatewaySettings> = {
  name: 'gateway',
  settings: gatewaySettings,
  module: (configuration) => GatewayModule.register(configuration),
  port: ({ PORT }) => PORT,
  prepare(application, { GATEWAY_BODY_BYTES }) {
    (application.getHttpAdapter().getInstance() as Express).disable('x-powered-by');
    application.use(...bodyReader(GATEWAY_BODY_BYTES));
    serveDocumentation(application);
  },
  strategy: commands,
};

function commands(application: INestApplication, { REDIS_URL, COMMAND_CONCURRENCY }: GatewayConfiguration): BullServer {
  const ports = application.get<GatewayPorts>(gatewayPorts);
  return new BullServer({
    redisUrl: REDIS_URL,
    queues: { commands: { concurrency: COMMAND_CONCURRENCY } },
    rejected: (name, data, reasons) => buryCommand(ports, name, data, reasons),
  });
}
