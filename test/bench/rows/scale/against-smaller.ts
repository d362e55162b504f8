import type { Contender, Contest } from '../../row.ts';

/**
 * Feedmesh at its largest size, beside itself at each smaller one: a cost that does not grow has the ratio
 * 1.0.
 * @param contenders one for each size, the smallest first
 */
export function againstSmaller(contenders: readonly Contender[]): Pick<Contest, 'ours' | 'references'> {
  const ours = contenders.at(-1);
  if (ours === undefined) throw new Error('there is no size to measure');
  return { ours, references: contenders.slice(0, -1) };
}
