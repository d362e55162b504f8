import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { UnavailableError } from '#core';
import type { Collection } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { pageParameters, readPage } from '../pages/page.ts';
import type { Page } from '../pages/page.ts';
import { indexLinks } from './index-links.ts';
import { indexPagePolicy, writeIndexPage } from './index-page.ts';

const indexQuery = z.object({ cursor: pageParameters.cursor });

@ApiTags('index')
@Controller()
export class IndexController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Get()
  @ApiOperation({
    summary:
      'Says where everything is; to a browser (`Accept: text/html`) as a page with the collections and ' +
      'their feeds.',
  })
  @ApiProduces('application/json', 'text/html')
  async read(
    @Query({ schema: indexQuery }) query: z.infer<typeof indexQuery>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { publicUrl } = this.ports;
    response.set({ Vary: 'Accept', 'Cache-Control': 'no-cache' });
    if (request.accepts(['application/json', 'text/html']) === 'text/html')
      await this.#sendPage(query, response);
    else response.json({ name: 'Feedmesh', links: indexLinks(publicUrl) });
  }

  async #sendPage(query: z.infer<typeof indexQuery>, response: Response): Promise<void> {
    const read = await this.#read(query);
    response.status(read === undefined ? 503 : 200).set('Content-Security-Policy', indexPagePolicy);
    response
      .type('html')
      .send(
        writeIndexPage({ publicUrl: this.ports.publicUrl, isFirst: query.cursor === undefined, ...read }),
      );
  }

  /** What the page shows of the store; undefined while MongoDB is away. */
  async #read(
    query: z.infer<typeof indexQuery>,
  ): Promise<{ readonly endpoint: string; readonly page: Page<Collection> } | undefined> {
    const { store, endpointBase } = this.ports;
    try {
      return {
        endpoint: await endpointBase(),
        page: await readPage(
          query,
          this.ports,
          (wanted) => store.collections.list(wanted),
          ({ name }) => name,
        ),
      };
    } catch (error) {
      if (error instanceof UnavailableError) return undefined;
      throw error;
    }
  }
}
