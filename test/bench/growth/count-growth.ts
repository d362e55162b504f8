import type { Scale } from '../row.ts';
import { scaled } from '../row.ts';
import type { GrowthCase, GrowthResult } from './growth-case.ts';

/** Counts one case at both of its sizes. */
export async function countGrowth(growthCase: GrowthCase, scale: Scale): Promise<GrowthResult> {
  const { name, unit, sizes } = growthCase;
  const counts: GrowthResult['counts'][number][] = [];
  for (const size of sizes.map((full) => scaled(full, scale)))
    counts.push({ size, counts: await growthCase.count(size) });
  return { name, unit, counts };
}

/** The lines that a person reads of a case: one for each size, the second one with its growth. */
export function growthLines({ name, unit, counts }: GrowthResult): string[] {
  const [smallest] = counts;
  const at = counts.map(({ size, counts: found }) => {
    const parts = Object.entries(found).map(([what, count]) => {
      const ratio = found === smallest?.counts ? '' : ` (${growth(smallest?.counts[what], count)})`;
      return `${rounded(count)} ${what}${ratio}`;
    });
    return `    ${`${size} ${unit}:`.padEnd(24)} ${parts.join(', ')}`;
  });
  return [`  ${name}`, ...at];
}

/** How many times a count is another one, as people read it; none has no multiple but itself. */
function growth(from = 0, to = 0): string {
  if (from === to) return '1.0 ×';
  return from === 0 ? `from ${from}` : `${(to / from).toFixed(1)} ×`;
}

function rounded(count: number): string {
  return Number.isInteger(count) ? String(count) : count.toFixed(2);
}
