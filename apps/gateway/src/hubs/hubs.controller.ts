import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { hubCalls } from '#service';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { bodyPieces } from '../requests/body-pieces.ts';
import { Route } from '../requests/route.ts';
import { findCallback, takeAnnouncement, takeMessage } from './hub-calls.ts';
import { readHubMessage } from './verification.ts';

/** The callbacks of the hubs of subscribed feeds (WebSub). */
@Controller()
export class HubsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('verifyCallback')
  async verify(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    // HEAD would verify and show the hub nothing.
    const query = new URLSearchParams(/\?(.*)$/s.exec(request.originalUrl)?.[1] ?? '');
    const message = request.method === 'GET' ? readHubMessage(query) : undefined;
    await counted(message?.mode ?? 'unknown', async () => {
      const row = await findCallback(this.ports, token);
      if (message === undefined)
        throw new ProblemError(404, 'callback-not-found', 'This is no message of a hub (WebSub, 5).');
      await takeMessage(this.ports, row, message);
      return 'taken';
    });
    response.set('Cache-Control', 'no-store').type('text/plain');
    response.send(message?.mode === 'denied' ? '' : (message?.challenge ?? ''));
  }

  @Route('announceChange')
  async announce(@Param('token') token: string, @Req() request: Request): Promise<void> {
    const { WEBSUB_BODY_BYTES: limit } = this.ports.configuration;
    const tooLarge = (): ProblemError =>
      new ProblemError(
        413,
        'body-too-large',
        `An announcement has at most ${limit} bytes (setting WEBSUB_BODY_BYTES).`,
      );
    try {
      await counted('announcement', async () => {
        if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
        const row = await findCallback(this.ports, token);
        return takeAnnouncement(
          this.ports,
          row,
          request.get('x-hub-signature'),
          bodyPieces(request, limit, tooLarge),
        );
      });
    } finally {
      // What nobody reads would keep the connection from its next request.
      if (request.readableDidRead) request.resume();
    }
  }
}

/** Counts a call of a hub by what came of it; a refused one by the rule of its problem. */
async function counted(kind: string, call: () => Promise<string>): Promise<void> {
  try {
    hubCalls.inc({ kind, outcome: await call() });
  } catch (error) {
    hubCalls.inc({ kind, outcome: error instanceof ProblemError ? error.rule : 'failed' });
    throw error;
  }
}
