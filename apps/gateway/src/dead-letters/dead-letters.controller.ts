import type { DeadLetterView, DiscardedLettersView, Page, RetriedLettersView } from '#contracts';
import { Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { deadLettersQuery } from '#contracts';
import { callerOf } from '../access/principal.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { showPage } from '../pages/page.ts';
import { discardLetters, retryLetters } from './change-letters.ts';
import { discard } from './discard.ts';
import { readLetters } from './each-letter.ts';
import { letterView } from './letter-view.ts';
import { noSuchLetter } from './no-such-letter.ts';
import { retry } from './retry.ts';
import { Route } from '../requests/route.ts';

type DeadLettersQuery = z.infer<typeof deadLettersQuery>;

@Controller()
export class DeadLettersController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listDeadLetters')
  async list(
    @Query({ schema: deadLettersQuery }) query: DeadLettersQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<DeadLetterView>> {
    return showPage(response, this.ports.publicUrl, await readLetters(this.ports, query), letterView);
  }

  @Route('retryDeadLetters')
  retryMany(
    @Query({ schema: deadLettersQuery }) query: DeadLettersQuery,
    @Req() request: Request,
  ): Promise<RetriedLettersView> {
    return retryLetters(this.ports, callerOf(request), query);
  }

  @Route('discardDeadLetters')
  discardMany(@Query({ schema: deadLettersQuery }) query: DeadLettersQuery): Promise<DiscardedLettersView> {
    return discardLetters(this.ports, query);
  }

  @Route('readDeadLetter')
  async read(@Param('letter') id: string): Promise<DeadLetterView> {
    const letter = await this.ports.store.deadLetters.find(id);
    if (letter === undefined) throw noSuchLetter(id);
    return letterView(letter);
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
