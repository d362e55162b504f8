import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSuites } from './run-suites.ts';

/** A fault that the simulation of the log must find. */
export interface PlantedFault {
  readonly name: string;
  readonly path: string;
  /** What is in the file once, and what is planted there. */
  readonly code: string;
  readonly replacement: string;
}

const follower = 'apps/publisher/src/follow-log.ts';

/** MongoDB is not part of the simulation, so the fence is that of the store in memory. */
export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'the fence lets a second one pass',
    path: 'test/in-memory/store/memory-collection-store.ts',
    code: 'if (!this.isAsItWas(former)) return false;\n    this.append',
    replacement: 'this.append',
  },
  {
    name: 'the relay loses the last event of several',
    path: follower,
    code: 'append(collection.key, events)',
    replacement: 'append(collection.key, events.slice(0, Math.max(1, events.length - 1)))',
  },
  {
    name: 'a gap in what is followed is not seen',
    path: follower,
    code: 'blocks(key, last, ',
    replacement: 'blocks(key, last + 1, ',
  },
  {
    name: 'the cursor of the publisher moves before its events are sent',
    path: follower,
    code: 'await followBlocks(',
    replacement:
      'await store.collections.follow(key, { relayed: lastSequenceOf(latest), since: 0 });\n' +
      '    await followBlocks(',
  },
];

/** The text of a file with the fault in it. Throws if the code is not in it, or several times. */
export function plantedIn(text: string, { name, path, code, replacement }: PlantedFault): string {
  const parts = text.split(code);
  if (parts.length !== 2) throw new Error(`"${name}": ${path} has ${parts.length - 1} times \`${code}\``);
  return parts.join(replacement);
}

/**
 * Plants a fault in a copy of the tree, and returns the first of 500 seeds at which the simulation of the log
 * fails; undefined if it fails at none.
 */
export async function findingSeed(root: string, fault: PlantedFault): Promise<number | undefined> {
  const [file, report] = [join(root, fault.path), join(root, 'planted-fault.json')];
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, plantedIn(text, fault));
  try {
    await runSuites(root, ['test/simulation/published-log.spec.ts'], {
      seconds: 600,
      options: ['--runInBand', '--json', '--outputFile', report],
      environment: { SIMULATION_FIRST_SEED: '1', SIMULATION_SEEDS: '500' },
    });
  } finally {
    writeFileSync(file, text);
  }
  const [, seed] = /Error: seed (\d+)/.exec(readFileSync(report, 'utf8')) ?? [];
  return seed === undefined ? undefined : Number(seed);
}
