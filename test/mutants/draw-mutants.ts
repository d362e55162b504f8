import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Dice } from '../simulation/dice.ts';
import { areas, isMutable } from './areas.ts';
import { isEquivalent } from './equivalent-mutants.ts';
import { findMutants } from './find-mutants.ts';
import type { Mutant } from './find-mutants.ts';

/** A fault and the file that it is planted in. */
export interface PlacedMutant extends Mutant {
  readonly area: string;
  readonly path: string;
}

/**
 * Draws mutants, as many from each area, so that a seed gives the same ones for the same source; none of
 * those that are known to change nothing.
 * @param paths all files of the source, from `root`
 */
export function drawMutants(
  root: string,
  paths: readonly string[],
  { count, seed }: { readonly count: number; readonly seed: number },
): PlacedMutant[] {
  const dice = new Dice(seed);
  const pools = areas
    .map(({ name, folders }) =>
      paths
        .filter((path) => isMutable(path) && folders.some((folder) => path.startsWith(`${folder}/`)))
        .flatMap((path) => mutantsIn(root, path).map((mutant) => ({ ...mutant, area: name, path }))),
    )
    .filter((pool) => pool.length > 0);
  const before = (index: number): number => Math.floor((index * count) / pools.length);
  return pools.flatMap((pool, index) => draw(pool, before(index + 1) - before(index), dice));
}

function mutantsIn(root: string, path: string): Mutant[] {
  const text = readFileSync(join(root, path), 'utf8');
  const lines = text.split('\n');
  return findMutants(text).filter(({ line, change }) => !isEquivalent(path, lines[line - 1] ?? '', change));
}

function draw<Element>(elements: readonly Element[], count: number, dice: Dice): Element[] {
  const left = [...elements];
  const drawn: Element[] = [];
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(dice.below(left.length), 1));
  return drawn;
}
