import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import type { Express } from 'express';
import { arm, disarm, hook, hookEvents, hookTimers, forgetHits, hitHooks } from './hooks.ts';
import type { Failure } from './hooks.ts';

/** What the test asks for. */
export type Order =
  | { readonly kind: 'hits' | 'forget' | 'disarm' }
  | { readonly kind: 'arm'; readonly name: string; readonly failure: Failure };

type Methods = Record<string, unknown>;

interface Layer {
  name: string;
  handle: (...values: never[]) => unknown;
  readonly route?: { readonly path: string; readonly stack: Layer[] };
}

/** Makes hooks of all methods of an object. */
function hookMethods(kind: string, object: Methods, names = Object.keys(object)): void {
  for (const name of names) {
    const method = object[name];
    if (typeof method === 'function')
      object[name] = hook(`${kind}.${name}`, (method as (...values: never[]) => unknown).bind(object));
  }
}

function methodsOf(object: object): string[] {
  return Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== 'constructor');
}

/** Makes hooks of the steps and routes of Express, and of the guards, pipes and filters of Nest. */
function hookSteps(application: INestApplication): void {
  const { router } = application.getHttpAdapter().getInstance() as Express;
  for (const [place, layer] of (router.stack as unknown as Layer[]).entries()) {
    if (layer.route === undefined) layer.handle = hook(`step ${place} ${layer.name}`, layer.handle);
    for (const own of layer.route?.stack ?? []) own.handle = hook(`route ${layer.route?.path}`, own.handle);
  }
  const { config } = application as unknown as { config: Record<string, () => object[]> };
  for (const kind of ['Guards', 'Pipes', 'Interceptors', 'Filters'])
    for (const [place, one] of (config[`getGlobal${kind}`]?.call(config) ?? []).entries())
      hookMethods(`${kind} ${place}`, one as Methods, methodsOf(one));
}

/** Makes hooks of what the gateway needs of the world. */
function hookPorts(ports: Methods): void {
  for (const [name, port] of Object.entries(ports.store as Record<string, Methods>))
    if (typeof port === 'object') hookMethods(`store.${name}`, port);
  for (const name of ['audit', 'authentication', 'limiter', 'suspended', 'jobs'])
    hookMethods(name, ports[name] as Methods, methodsOf(ports[name] as object));
}

hookEvents();
const { runService } = await import('#service');
const { gateway } = await import('../../../apps/gateway/src/gateway.ts');
const { gatewayPorts } = await import('../../../apps/gateway/src/gateway-ports.ts');
let started: INestApplication | undefined;
await runService({
  ...gateway,
  prepare(application, configuration) {
    started = application;
    hookPorts(application.get<Methods>(gatewayPorts));
    return gateway.prepare?.(application, configuration);
  },
});
if (started !== undefined) hookSteps(started);
// Those of the start belong to no request: the gateway ends when one of them fails.
hookTimers();
process.on('message', (order: Order) => {
  if (order.kind === 'arm') arm(order.name, order.failure);
  if (order.kind === 'forget') forgetHits();
  process.send?.(order.kind === 'hits' ? hitHooks() : order.kind === 'disarm' && disarm());
});
process.send?.('started');
