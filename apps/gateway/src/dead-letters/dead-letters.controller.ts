import type { DeadLetterView, Page } from '#contracts';
import { Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { deadLettersQuery } from '#contracts';
import { collectionKey, nameOf } from '#core';
import { callerOf } from '../access/principal.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readPage, showPage } from '../pages/page.ts';
import { discard } from './discard.ts';
import { retry } from './retry.ts';
import { Route } from '../requests/route.ts';

@Controller()
export class DeadLettersController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listDeadLetters')
  async list(
    @Query({ schema: deadLettersQuery }) query: z.infer<typeof deadLettersQuery>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<DeadLetterView>> {
    const { store, publicUrl } = this.ports;
    const { collection, rule } = query;
    const filter = {
      ...(collection !== undefined && { collection: collectionKey(collection) }),
      ...(rule !== undefined && { rule }),
    };
    const page = await readPage(
      query,
      this.ports,
      (wanted) => store.deadLetters.list({ ...wanted, ...filter }),
      ({ id }) => id,
    );
    return showPage(response, publicUrl, page, (letter) => ({
      ...letter,
      collection: nameOf(letter.collection),
      at: letter.at.toISOString(),
    }));
  }

  @Route('retryDeadLetter')
  async retry(@Param('letter') id: string, @Req() request: Request): Promise<void> {
    await retry(this.ports, callerOf(request), id);
  }

  @Route('discardDeadLetter')
  async discard(@Param('letter') id: string): Promise<void> {
    await discard(this.ports, id);
  }
}
