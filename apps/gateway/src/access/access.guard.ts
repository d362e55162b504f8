import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext, OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express, Request, Response } from 'express';
import { isChange } from '#contracts';
import type { Operation } from '#contracts';
import { collectionKey, tenantOf } from '#core';
import { describeChange } from '../audit/audit-requests.ts';
import { changeOf } from '../audit/change-in-progress.ts';
import type { ChangeInProgress } from '../audit/change-in-progress.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { countFor, paidBy } from '../quota/count-request.ts';
import { isExempt } from '../quota/payer.ts';
import { checkPermission, permissionOf } from './check-demand.ts';
import type { About } from './check-demand.ts';
import { assertDeclared, nameOfOperation, operationAt, subjectOf } from './declared-operations.ts';
import { OpenResponses } from './open-responses.ts';
import { isPublished, keepPrivate } from './published-feeds.ts';
import { unauthenticated } from './refusals.ts';
import { administersAll } from './suspended-tenants.ts';
import { principalOf } from './principal.ts';
import type { Principal } from './principal.ts';

/**
 * Lets a request reach its operation if its sender has the permission that the operation declares. Throws
 * `ProblemError` 401, 403 and 429. Commands are checked where they run.
 */
@Injectable()
export class AccessGuard implements CanActivate, OnApplicationBootstrap {
  constructor(
    @Inject(gatewayPorts) private readonly ports: GatewayPorts,
    private readonly host: HttpAdapterHost,
    private readonly open: OpenResponses,
  ) {}

  /** Throws if there is a route that declares nothing: the gateway does not start with it. */
  onApplicationBootstrap(): void {
    assertDeclared(this.host.httpAdapter.getInstance<Express>());
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const [request, response] = [
      context.switchToHttp().getRequest<Request>(),
      context.switchToHttp().getResponse<Response>(),
    ];
    const operation = operationAt(request.method, (request.route as { path: string }).path);
    if (operation === undefined) return false;
    const permission = permissionOf(operation.needs);
    if (operation.needs === 'key' && principalOf(request) === undefined)
      throw unauthenticated('This needs a key: Authorization: Bearer KEY.');
    if (permission === undefined) return true;
    const change = this.#changeOf(request, operation);
    const { authentication, configuration, suspended } = this.ports;
    if (operation.needs === 'metrics' && configuration.AUTH_METRICS === 'trusted') return true;
    const about = subjectOf(operation, request);
    const principal = principalOf(request);
    if (paidBy(request) === undefined) await this.#countLate(request, principal, operation, about);
    if (typeof about.scope === 'string') {
      await suspended.check(principal, about.scope);
      if (!administersAll(principal)) this.open.watchCollection(about.scope, response);
    }
    if (operation.needs === 'feeds' && authentication.isRequired) {
      const collection = collectionKey(String(request.params['collection']));
      if (await isPublished(this.ports, collection)) return true;
      keepPrivate(response);
    }
    checkPermission(principal, permission, about);
    if (change !== undefined) await this.ports.audit.begin(change);
    return true;
  }

  /** Counts a request whose query, or an unusual form of its path, names a tenant's collection. */
  async #countLate(
    request: Request,
    principal: Principal | undefined,
    { needs }: Operation,
    { scope }: About,
  ): Promise<void> {
    const tenant = typeof scope === 'string' ? tenantOf(scope) : undefined;
    if (tenant === undefined) return;
    if (principal === undefined ? needs === 'feeds' : !isExempt(principal))
      await countFor(this.ports.limiter, request, tenant);
  }

  /** The change that a request is for, which the audit log tells of; undefined if it is for none. */
  #changeOf(request: Request, operation: Operation): ChangeInProgress | undefined {
    if (!this.ports.audit.isOn || !isChange(operation)) return undefined;
    const change = changeOf(request);
    if (change === undefined) throw new Error(`${request.method} ${request.path} would not be audited.`);
    const params = request.params as Record<string, string>;
    describeChange(change, nameOfOperation(operation), operation, params, request.query);
    return change;
  }
}
