import { CountedStore } from '../../support/growth/counted-store.ts';
import type { Scale } from '../row.ts';
import { scaled } from '../row.ts';
import type { GrowthCase, GrowthResult } from './growth-case.ts';

/** Counts one case at both of its sizes, each in a database of its own. */
export async function countGrowth(growthCase: GrowthCase, scale: Scale): Promise<GrowthResult> {
  const { name, unit, sizes } = growthCase;
  const counts: GrowthResult['counts'][number][] = [];
  for (const size of sizes.map((full) => scaled(full, scale))) {
    const under = await CountedStore.open();
    try {
      const { operations, documents } = await growthCase.count(under, size);
      counts.push({ size, operations, documents });
    } finally {
      await under.close();
    }
  }
  return { name, unit, counts };
}

/** The line that a person reads of a case. */
export function growthLine({ name, unit, counts }: GrowthResult): string {
  const at = counts.map(
    ({ size, operations, documents }) => `${size} ${unit}: ${operations} operations, ${documents} documents`,
  );
  return `  ${name}\n    ${at.join('; ')}`;
}
