import { Controller, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { collectionName } from '#messages';
import type { Collection } from '#ports';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { findOwnTree } from '../tree/find-tree.ts';
import { fileUrl } from '../tree/tree-address.ts';
import { storeFile } from './store-file.ts';

@ApiTags('files')
@Controller('v1/collections/:collection/files')
export class NewFilesController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Post()
  @ApiOperation({ summary: 'Keeps a file for the items of a tree of our own (CSE) to link to. What no item links to goes after a while.' })
  @ApiConsumes('*/*')
  @ApiBody({ required: true, schema: { type: 'string', format: 'binary', description: 'The bytes, of the media type that they are to be served with.' } })
  async create(@Param('collection', { schema: collectionName }) name: string, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    const tree = await findOwnTree(this.ports, name);
    const { digest, length, type } = await storeFile(this.ports, name, request);
    await this.#checkStillThere(tree, digest);
    const url = fileUrl(this.ports.publicUrl, name, digest);
    response.status(201).location(url);
    return { digest, length, type, url };
  }

  /** Throws `ProblemError` 404, and keeps nothing, where the collection was removed while the file was sent, with some of its bytes perhaps. */
  async #checkStillThere({ name, createdAt }: Collection, digest: string): Promise<void> {
    const { collections, contents } = this.ports.store;
    if ((await collections.find(name))?.createdAt.getTime() === createdAt.getTime()) return;
    await contents.remove(name, digest);
    throw new ProblemError(404, 'collection-not-found', `The collection "${name}" was removed while the file was sent.`);
  }
}
