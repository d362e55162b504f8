import { existsSync, readdirSync } from 'node:fs';

/** A module, what it holds, and what its files may import besides each other. */
export interface Module {
  /** Its folder, from the root of the project. */
  readonly folder: string;
  readonly holds: string;
  /** Other modules (`#name`), packages, and built-in modules of Node (`node:*` for all of them). */
  readonly imports: readonly string[];
}

/** The protocols: the modules that hold hooks of one (`src/service/`). */
export const protocols: readonly string[] = readdirSync('libs')
  .filter((name) => existsSync(`libs/${name}/src/service`))
  .toSorted();

/** What one protocol takes from another. */
const builtOn: ReadonlyMap<string, readonly string[]> = new Map([['sse', ['#feedsync']]]);

const protocolModules = protocols.map((name) => `#${name}`);

/** The apps that are one process each of an installation. */
const services = readdirSync('apps')
  .filter((name) => name !== 'cli' && name !== 'standalone')
  .toSorted();

/** What every app may import. */
const everyApp = [
  '#core',
  '#contracts',
  '#protocol',
  '#protocols',
  ...protocolModules,
  '#xml',
  '#items',
  '#plain-feeds',
  '#store',
  '#queue',
  '#http-fetch',
  '#service',
];

/**
 * The modules and their boundaries. `npm run boundaries` makes the rules of lint and the table in
 * docs/ARCHITECTURE.md from it.
 */
export const modules: readonly Module[] = [
  {
    folder: 'libs/core',
    holds:
      'what a collection, an item, a subscription, a manifest and a change are; the interfaces of store, ' +
      'queue, network, clock and random numbers; keys, sealed credentials and the chains of the audit log',
    imports: ['#xml', '#contracts', 'node:crypto'],
  },
  {
    folder: 'libs/contracts',
    holds:
      'what others depend on: the versioned schemas of jobs, commands, events and HTTP, and its operations',
    imports: ['zod'],
  },
  {
    folder: 'libs/protocol',
    holds: 'the one interface between the services and a protocol, and what protocols have in common',
    imports: ['#core', '#contracts', '#xml', 'node:crypto'],
  },
  ...protocols.map((name) => ({
    folder: `libs/${name}`,
    holds: 'a protocol: engine/ (pure), xml/ (its markup), service/ (its hooks)',
    imports: [
      '#core',
      '#contracts',
      ...(builtOn.get(name) ?? []),
      '#protocol',
      '#xml',
      '#plain-feeds',
      'node:crypto',
    ],
  })),
  {
    folder: `libs/{${protocols.join(',')}}/src/engine`,
    holds: 'pure: what the specifications decide; no XML, no clock',
    imports: ['#core', '#feedsync'],
  },
  {
    folder: 'libs/protocols',
    holds: 'the registry: one line a protocol',
    imports: ['#core', '#protocol', ...protocolModules],
  },
  {
    folder: 'libs/xml',
    holds: 'pure: bytes → fragments → payloads, feeds and outlines; knows formats and no protocol',
    imports: ['saxes', 'entities', '@exodus/bytes/encoding.js', 'node:crypto'],
  },
  {
    folder: 'libs/plain-feeds',
    holds:
      'pure: reads feeds as subscriptions do; broken feeds, old formats, JSON Feed → RSS 2.0 or Atom 1.0; ' +
      'the feeds that a page names',
    imports: ['#xml', '#protocol', 'htmlparser2', 'entities', 'node:crypto'],
  },
  {
    folder: 'libs/items',
    holds: 'the one loop: load, decide, compare-and-set; local edits',
    imports: ['#core', '#contracts', '#xml', '#protocol', '#protocols', ...protocolModules, 'node:crypto'],
  },
  {
    folder: 'libs/store',
    holds: 'MongoDB, with files in the layout of GridFS; the only module that imports mongoose',
    imports: ['#core', 'mongoose', 'node:*'],
  },
  {
    folder: 'libs/queue',
    holds:
      'BullMQ as a Nest transport, and Redis Streams; the only module that imports bullmq and ioredis; ' +
      'client/ (what other teams import)',
    imports: ['#core', '#contracts', 'bullmq', 'ioredis', 'rxjs', '@nestjs/*', 'node:*'],
  },
  {
    folder: 'libs/http-fetch',
    holds: 'the only way out to the network',
    imports: ['#core', 'undici', 'ipaddr.js', 'node:*'],
  },
  {
    folder: 'libs/service',
    holds: 'what every service has: settings, logging, health, metrics, traces, connections, start and stop',
    imports: [
      '#core',
      '#queue',
      '#store',
      '#xml',
      '#cse',
      'zod',
      'pino',
      'prom-client',
      'bullmq-otel',
      '@opentelemetry/*',
      'rxjs',
      'express',
      '@nestjs/*',
      'node:*',
    ],
  },
  {
    folder: `apps/{${services.join(',')}}`,
    holds: 'one process each: its functions, their handlers and controllers, `main.ts`',
    imports: [...everyApp, 'zod', 'express', 'reflect-metadata', 'jose', 'tldts', '@nestjs/*', 'node:*'],
  },
  {
    folder: 'apps/cli',
    holds: '`feedmesh`; `sync` mirrors a tree of feeds into a folder without any service',
    imports: [...everyApp, '#databases', 'commander', '@nestjs/common', 'node:*'],
  },
  {
    folder: 'apps/standalone',
    holds: 'provides the databases, runs the four services, and restarts them',
    imports: ['#contracts', '#databases', 'node:*'],
  },
  {
    folder: 'tools/databases',
    holds: "finds, starts and stops Redis and MongoDB on a developer's machine; no image has it",
    imports: ['mongoose', 'ioredis', 'undici', 'node:*'],
  },
  {
    folder: 'tools/chart',
    holds: 'makes the values and the page of the Helm chart from its schema, and checks the chart',
    imports: ['#programs', 'js-yaml', 'node:*'],
  },
  {
    folder: 'tools/alerts',
    holds: 'checks the alerts with promtool',
    imports: ['#programs', 'node:*'],
  },
  {
    folder: 'tools/programs',
    holds: 'builds the programs that the tools need, and keeps them by version outside of any checkout',
    imports: ['node:*'],
  },
  {
    folder: 'tools/cluster',
    holds: 'runs a Kubernetes cluster of one node on this machine, in namespaces of its own',
    imports: ['#programs', '#databases', 'node:*'],
  },
  {
    folder: 'tools/boundaries',
    holds: 'this table',
    imports: ['node:*'],
  },
];
