import type { Page, TenantView } from '#contracts';
import { Body, Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { pageQuery, tenantBody, tenantName } from '#contracts';
import type { Tenant } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readPage, showPage } from '../pages/page.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { readPatch } from '../requests/merge-patch.ts';
import { Route } from '../requests/route.ts';
import { findTenant } from './find-tenant.ts';
import { patchTenant } from './patch-tenant.ts';
import { limitsOf } from './tenant-limits.ts';

@Controller()
export class TenantsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listTenants')
  async list(
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<TenantView>> {
    const { store, publicUrl } = this.ports;
    const page = await readPage(
      query,
      this.ports,
      (wanted) => store.tenants.list(wanted),
      ({ name }) => name,
    );
    const { items, ...rest } = page;
    const views = await Promise.all(items.map((tenant) => this.#view(tenant)));
    return showPage(response, publicUrl, { ...rest, items: views }, (view) => view);
  }

  @Route('putTenant')
  async put(
    @Param('tenant', { schema: tenantName }) name: string,
    @Body({ schema: tenantBody.prefault({}) }) { limits = {}, suspended = false }: z.infer<typeof tenantBody>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TenantView> {
    const { store, clock } = this.ports;
    const given = Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
    const change = { limits: given, isSuspended: suspended };
    const { created, tenant } = await store.tenants.put(name, change, clock.now());
    response.status(created ? 201 : 200);
    return this.#view(tenant);
  }

  @Route('patchTenant')
  async patch(
    @Param('tenant', { schema: tenantName }) name: string,
    @Req() request: Request,
  ): Promise<TenantView> {
    return this.#view(await patchTenant(this.ports, name, readPatch(request)));
  }

  @Route('readTenant')
  async read(@Param('tenant', { schema: tenantName }) name: string): Promise<TenantView> {
    return this.#view(await findTenant(this.ports, name));
  }

  @Route('removeTenant')
  async remove(@Param('tenant', { schema: tenantName }) name: string): Promise<void> {
    if (await this.ports.store.tenants.remove(name)) return;
    await findTenant(this.ports, name);
    const detail = `The tenant "${name}" has collections; remove them first.`;
    throw new ProblemError(409, 'tenant-in-use', detail);
  }

  async #view(tenant: Tenant): Promise<TenantView> {
    const { name, isSuspended, createdAt } = tenant;
    return {
      name,
      limits: limitsOf(this.ports, tenant),
      usage: await this.ports.store.tenants.usage(name),
      suspended: isSuspended,
      createdAt: createdAt.toISOString(),
    };
  }
}
