import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { fileDigest } from '#contracts';
import { nameOf } from '#core';
import type { CollectionKey } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { sendFile } from './send-file.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam } from '../requests/path-parameter.ts';

@Controller()
export class FilesController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('readFile')
  async read(
    @CollectionParam() key: CollectionKey,
    @Param('digest', { schema: fileDigest }) digest: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#answer(key, digest, request, response);
  }

  @Route('readNamedFile')
  async readNamed(
    @CollectionParam() key: CollectionKey,
    @Param('digest', { schema: fileDigest }) digest: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#answer(key, digest, request, response);
  }

  async #answer(key: CollectionKey, digest: string, request: Request, response: Response): Promise<void> {
    const { contents } = this.ports.store;
    const content = (await contents.load(key, [digest])).get(digest);
    if (content === undefined)
      throw new ProblemError(
        404,
        'file-not-found',
        `The collection "${nameOf(key)}" has no file with the SHA-256 ${digest}.`,
      );
    await sendFile(this.ports, content, request, response);
  }
}
