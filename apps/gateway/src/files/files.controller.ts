import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { collectionName } from '#contracts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { fileDigest } from './file-digest.ts';
import { sendFile } from './send-file.ts';

@ApiTags('files')
@ApiProduces('*/*')
@Controller('files/:collection/:digest')
export class FilesController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Get()
  @ApiOperation({
    summary: 'A file of a tree (CSE) by its SHA-256, whole or a range of it. It never changes.',
  })
  async read(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('digest', { schema: fileDigest }) digest: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#answer(name, digest, request, response);
  }

  @Get(':name')
  @ApiOperation({ summary: 'The same under the name that it has in a link.' })
  async readNamed(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('digest', { schema: fileDigest }) digest: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#answer(name, digest, request, response);
  }

  async #answer(name: string, digest: string, request: Request, response: Response): Promise<void> {
    const { contents } = this.ports.store;
    const content = (await contents.load(name, [digest])).get(digest);
    if (content === undefined)
      throw new ProblemError(
        404,
        'file-not-found',
        `The collection "${name}" has no file with the SHA-256 ${digest}.`,
      );
    await sendFile(this.ports, content, request, response);
  }
}
