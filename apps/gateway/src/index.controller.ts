import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { gatewayPorts } from './gateway-ports.ts';
import type { GatewayPorts } from './gateway-ports.ts';

@ApiTags('index')
@Controller()
export class IndexController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Get()
  @ApiOperation({ summary: 'Says where everything is.' })
  read(): { readonly name: string; readonly links: Readonly<Record<string, string>> } {
    const { publicUrl } = this.ports;
    return {
      name: 'Feedmesh',
      links: {
        collections: `${publicUrl}/v1/collections`,
        deadLetters: `${publicUrl}/v1/dead-letters`,
        documentation: `${publicUrl}/docs`,
        openapi: `${publicUrl}/openapi.json`,
        live: `${publicUrl}/health/live`,
        ready: `${publicUrl}/health/ready`,
      },
    };
  }
}
