import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext, OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express, Request, Response } from 'express';
import { collectionKey } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { checkPermission, permissionOf } from './check-demand.ts';
import { assertDeclared, operationAt, subjectOf } from './declared-operations.ts';
import { OpenResponses } from './open-responses.ts';
import { isPublished, keepPrivate } from './published-feeds.ts';
import { administersAll } from './suspended-tenants.ts';
import { principalOf } from './principal.ts';

/**
 * Lets a request reach its operation if its sender has the permission that the operation declares. Throws
 * `ProblemError` 401 and 403. Commands are checked where they run.
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
    if (permission === undefined) return true;
    const { authentication, configuration, suspended } = this.ports;
    if (operation.needs === 'metrics' && configuration.AUTH_METRICS === 'trusted') return true;
    const about = subjectOf(operation, request);
    const principal = principalOf(request);
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
    return true;
  }
}
