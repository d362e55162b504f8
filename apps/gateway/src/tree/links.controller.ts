import { Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { collectionName } from '#contracts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { itemIdSegment } from '../items/item-id-segment.ts';
import { fetchLink } from './fetch-link.ts';

const linkNumber = z.string().regex(/^(0|[1-9][0-9]{0,8})$/, 'the number of a link of the item, from 0');

@ApiTags('trees')
@Controller('v1/collections/:collection/items/:id/links/:link')
export class LinksController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Post('fetch')
  @HttpCode(202)
  @ApiOperation({
    summary:
      'Asks for what a link of a mirrored tree (CSE) refers to on demand; links count from 0. It is ' +
      'fetched with the next walk through the tree, which begins now.',
  })
  async fetch(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Param('link', { schema: linkNumber }) link: string,
  ) {
    return fetchLink(this.ports, name, id, Number(link));
  }
}
