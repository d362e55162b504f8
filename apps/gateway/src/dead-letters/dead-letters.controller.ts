import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { collectionName } from '#contracts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { pageParameters, readPage, showPage } from '../pages/page.ts';
import { discard } from './discard.ts';
import { retry } from './retry.ts';

const deadLettersQuery = z.strictObject({
  ...pageParameters,
  collection: collectionName.optional(),
  rule: z.string().max(100).optional().describe('Only those that this rule was broken for.'),
});

@ApiTags('dead letters')
@Controller('v1/dead-letters')
export class DeadLettersController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Get()
  @ApiOperation({ summary: 'Lists what could not be taken in, with the reasons.' })
  async list(
    @Query({ schema: deadLettersQuery }) query: z.infer<typeof deadLettersQuery>,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { store, publicUrl } = this.ports;
    const { collection, rule } = query;
    const filter = { ...(collection !== undefined && { collection }), ...(rule !== undefined && { rule }) };
    const page = await readPage(
      query,
      this.ports,
      (wanted) => store.deadLetters.list({ ...wanted, ...filter }),
      ({ id }) => id,
    );
    return showPage(response, publicUrl, page, (letter) => letter);
  }

  @Post(':id/retry')
  @HttpCode(204)
  @ApiOperation({ summary: 'Takes it in once more; the letter is removed if it goes well.' })
  async retry(@Param('id') id: string): Promise<void> {
    await retry(this.ports, id);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Discards it: it is removed and not merged or run again.' })
  async discard(@Param('id') id: string): Promise<void> {
    await discard(this.ports, id);
  }
}
