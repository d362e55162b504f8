import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach } from '@jest/globals';
import { run } from '../../apps/cli/src/run.ts';
import type { SyncSummary } from '../../apps/cli/src/sync/summary.ts';
import { closeServers } from './local-server.ts';
import { memoryIo } from './memory-io.ts';
import type { MemoryIo } from './memory-io.ts';
import { Site } from './sync-site.ts';

/** A site, the folder of its mirror, and `feedmesh sync` between them. */
interface SyncFixture {
  readonly site: Site;
  /** The path of the mirror; nothing is there when a test begins. */
  readonly folder: string;
  /** An empty folder beside it. */
  readonly outside: string;
  /** Returns the arguments that mirror the root of the site into the folder. */
  readonly commandLine: (...options: readonly string[]) => string[];
  /** Runs the command with `-o json`. */
  readonly sync: (...options: readonly string[]) => Promise<SyncRun>;
  /** Does the same with the given output; if the command prints no summary, the result is its code. */
  readonly syncWith: (io: MemoryIo) => Promise<SyncRun>;
}

type SyncRun = SyncSummary & { readonly code: number };

/**
 * Starts an empty site for every test of a file, and removes what the test has written.
 * @param root the path of the root feed
 */
export function syncFixture(root = '/root.xml'): SyncFixture {
  const home = mkdtempSync(join(tmpdir(), 'feedmesh-sync-'));
  const [folder, outside] = [join(home, 'mirror'), join(home, 'outside')];
  const site = new Site();
  const remove = (): void => rmSync(home, { recursive: true, force: true });
  beforeEach(async () => {
    remove();
    mkdirSync(outside, { recursive: true });
    await site.start();
  });
  afterEach(closeServers);
  afterAll(remove);

  const commandLine = (...options: readonly string[]): string[] => [
    'sync',
    `${site.url}${root}`,
    folder,
    '--allow-network',
    '127.0.0.0/8',
    ...options,
  ];
  const runSync = async (io: MemoryIo, ...options: readonly string[]): Promise<SyncRun> => {
    const code = await run(commandLine('-o', 'json', ...options), io);
    return { code, ...(JSON.parse(io.out() || '{}') as SyncSummary) };
  };
  return {
    site,
    folder,
    outside,
    commandLine,
    sync: (...options) => runSync(memoryIo(), ...options),
    syncWith: runSync,
  };
}
