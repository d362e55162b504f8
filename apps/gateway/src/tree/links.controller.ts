import type { RequestedLinkView } from '#contracts';
import { Controller, Inject, Param } from '@nestjs/common';
import { collectionName, itemIdSegment, linkNumber } from '#contracts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { fetchLink } from './fetch-link.ts';
import { Route } from '../requests/route.ts';

@Controller()
export class LinksController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('fetchLink')
  async fetch(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Param('link', { schema: linkNumber }) link: string,
  ): Promise<RequestedLinkView> {
    return fetchLink(this.ports, name, id, Number(link));
  }
}
