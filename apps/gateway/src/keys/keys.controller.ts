import type { AccessKeyView, IssuedKeyView, MeView, Page } from '#contracts';
import { Body, Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { accessKeyBody, pageQuery, rotationBody } from '#contracts';
import { callerOf } from '../access/principal.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readPage, showPage } from '../pages/page.ts';
import { Route } from '../requests/route.ts';
import { administeredKeys } from './administered-keys.ts';
import { findKey, noSuchKey } from './find-key.ts';
import { issueKey } from './issue-key.ts';
import { keyView } from './key-view.ts';
import { meView } from './me-view.ts';
import { noteKey } from './note-key.ts';
import { rotateKey } from './rotate-key.ts';

@Controller()
export class KeysController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('readMe')
  me(@Req() request: Request): MeView {
    return meView(callerOf(request));
  }

  @Route('listKeys')
  async list(
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<AccessKeyView>> {
    const { store, publicUrl, clock } = this.ports;
    const caller = callerOf(request);
    const page = await readPage(
      query,
      this.ports,
      (wanted) => administeredKeys(store.accessKeys, caller, wanted),
      ({ id }) => id,
    );
    return showPage(response, publicUrl, page, (key) => keyView(key, clock.now()));
  }

  @Route('issueKey')
  issue(
    @Body({ schema: accessKeyBody }) body: z.infer<typeof accessKeyBody>,
    @Req() request: Request,
  ): Promise<IssuedKeyView> {
    return issueKey(this.ports, callerOf(request), body);
  }

  @Route('readKey')
  async read(@Param('key') id: string, @Req() request: Request): Promise<AccessKeyView> {
    return keyView(await findKey(this.ports, callerOf(request), id), this.ports.clock.now());
  }

  @Route('rotateKey')
  rotate(
    @Param('key') id: string,
    @Body({ schema: rotationBody.prefault({}) }) { overlapSeconds }: z.infer<typeof rotationBody>,
    @Req() request: Request,
  ): Promise<IssuedKeyView> {
    return rotateKey(this.ports, callerOf(request), id, overlapSeconds);
  }

  @Route('revokeKey')
  async revoke(@Param('key') id: string, @Req() request: Request): Promise<void> {
    noteKey(await findKey(this.ports, callerOf(request), id));
    if (!(await this.ports.store.accessKeys.remove(id))) throw noSuchKey(id);
  }
}
