import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { collectionName, fileDigest } from '#contracts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { sendFile } from './send-file.ts';
import { Route } from '../requests/route.ts';

@Controller()
export class FilesController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('readFile')
  async read(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('digest', { schema: fileDigest }) digest: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#answer(name, digest, request, response);
  }

  @Route('readNamedFile')
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
