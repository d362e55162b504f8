import { Body, Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { z } from 'zod';
import { previewBody } from '#contracts';
import type { PreviewView } from '#contracts';
import { callerOf } from '../access/principal.ts';
import { SuspendedTenants } from '../access/suspended-tenants.ts';
import { tenantOfGrants } from '../quota/payer.ts';
import { PreviewRequests } from './preview-requests.ts';
import { Route } from '../requests/route.ts';

@Controller()
export class PreviewController {
  constructor(
    private readonly previews: PreviewRequests,
    private readonly suspended: SuspendedTenants,
  ) {}

  @Route('previewFeed')
  async preview(
    @Body({ schema: previewBody }) body: z.infer<typeof previewBody>,
    @Req() request: Request,
  ): Promise<PreviewView> {
    const caller = callerOf(request);
    const tenant = tenantOfGrants(caller.grants);
    if (tenant !== undefined) await this.suspended.check(caller, `${tenant}.*`);
    return this.previews.preview(body, tenant);
  }
}
