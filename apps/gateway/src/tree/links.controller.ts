import type { RequestedLinkView } from '#contracts';
import { Controller, Inject, Param } from '@nestjs/common';
import { itemIdSegment, linkNumber } from '#contracts';
import type { CollectionKey } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { fetchLink } from './fetch-link.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam } from '../requests/path-parameter.ts';

@Controller()
export class LinksController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('fetchLink')
  async fetch(
    @CollectionParam() key: CollectionKey,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Param('link', { schema: linkNumber }) link: string,
  ): Promise<RequestedLinkView> {
    return fetchLink(this.ports, key, id, Number(link));
  }
}
