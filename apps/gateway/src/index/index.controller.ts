import type { Page, ServiceIndexView } from '#contracts';
import { indexQuery } from '#contracts';
import { Controller, Inject, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { permits, UnavailableError } from '#core';
import type { Collection } from '#core';
import { principalOf } from '../access/principal.ts';
import type { Principal } from '../access/principal.ts';
import { unauthenticated } from '../access/refusals.ts';
import { readableCollections } from '../collections/readable-collections.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readPage } from '../pages/page.ts';
import { indexLinks } from './index-links.ts';
import { pagePolicy } from './html-page.ts';
import { writeIndexPage } from './index-page.ts';
import type { IndexPage } from './index-page.ts';
import { Route } from '../requests/route.ts';

@Controller()
export class IndexController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('readIndex')
  async read(
    @Query({ schema: indexQuery }) query: z.infer<typeof indexQuery>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { publicUrl } = this.ports;
    const principal = principalOf(request);
    if (query.signIn === 'true' && principal === undefined)
      throw unauthenticated(
        'Sign in with any user name, and a key with the permission "read" as the password.',
      );
    response.set({ Vary: 'Accept', 'Cache-Control': 'no-cache' });
    if (request.accepts(['application/json', 'text/html']) === 'text/html')
      await this.#sendPage(query, principal, response);
    else {
      const index: ServiceIndexView = { name: 'Feedmesh', links: indexLinks(publicUrl) };
      response.json(index);
    }
  }

  async #sendPage(
    query: z.infer<typeof indexQuery>,
    principal: Principal | undefined,
    response: Response,
  ): Promise<void> {
    const read = await this.#read(query, principal);
    response.status(read === undefined ? 503 : 200).set('Content-Security-Policy', pagePolicy);
    const { publicUrl } = this.ports;
    const access = accessOf(principal);
    response
      .type('html')
      .send(writeIndexPage({ publicUrl, access, isFirst: query.cursor === undefined, ...read }));
  }

  /** What the page shows of the store; undefined while MongoDB is away. */
  async #read(
    query: z.infer<typeof indexQuery>,
    principal: Principal | undefined,
  ): Promise<{ readonly endpoint: string; readonly page: Page<Collection> } | undefined> {
    const { store, endpointBase } = this.ports;
    try {
      return {
        endpoint: await endpointBase(),
        page: await readPage(
          query,
          this.ports,
          (wanted) => readableCollections(store, principal?.grants ?? [], wanted),
          ({ key }) => key,
        ),
      };
    } catch (error) {
      if (error instanceof UnavailableError) return undefined;
      throw error;
    }
  }
}

function accessOf(principal: Principal | undefined): IndexPage['access'] {
  if (principal === undefined) return 'none';
  return permits(principal.grants, 'read', '*') ? 'all' : 'some';
}
