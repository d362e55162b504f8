import type { RequestedLinkView } from '#contracts';
import { Controller, Inject, Param } from '@nestjs/common';
import { linkNumber } from '#contracts';
import type { CollectionKey, ItemId } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { fetchLink } from './fetch-link.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam, ItemParam } from '../requests/path-parameter.ts';

@Controller()
export class LinksController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('fetchLink')
  async fetch(
    @CollectionParam() key: CollectionKey,
    @ItemParam() id: ItemId,
    @Param('link', { schema: linkNumber }) link: string,
  ): Promise<RequestedLinkView> {
    return fetchLink(this.ports, key, id, Number(link));
  }
}
