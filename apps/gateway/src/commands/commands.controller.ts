import { Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { MessageController, UnrecoverableError } from '#queue';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { problemOf } from '../problems/problem-of.ts';
import { runAuditedCommand } from './audited-command.ts';

/**
 * The jobs of the queue `commands`. What the HTTP interface would refuse is given up at once; anything else
 * is tried again.
 */
@MessageController()
export class CommandsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @MessagePattern('commands.subscribe')
  subscribe(@Payload() data: unknown): Promise<void> {
    return this.#run('subscribe', data);
  }

  @MessagePattern('commands.unsubscribe')
  unsubscribe(@Payload() data: unknown): Promise<void> {
    return this.#run('unsubscribe', data);
  }

  @MessagePattern('commands.refresh')
  refresh(@Payload() data: unknown): Promise<void> {
    return this.#run('refresh', data);
  }

  @MessagePattern('commands.edit')
  edit(@Payload() data: unknown): Promise<void> {
    return this.#run('edit', data);
  }

  async #run(name: string, data: unknown): Promise<void> {
    try {
      await runAuditedCommand(this.ports, name, data);
    } catch (error) {
      const { status, message } = problemOf(error);
      throw status < 500 ? new UnrecoverableError(message) : error;
    }
  }
}
