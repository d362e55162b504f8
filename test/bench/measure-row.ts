import { summarize } from './summary.ts';
import type { RowResult } from './summary.ts';
import type { Contest, Row, Sample, Scale, World } from './row.ts';

/**
 * Measures a row: each contender once to warm up, then all of them in turn, as many rounds as the scale says,
 * so that whatever else the machine does meets all of them alike. A row with rounds of its own is not warmed
 * up.
 */
export async function measureRow(row: Row, world: World, scale: Scale): Promise<RowResult> {
  const contest = await row.open(world, scale);
  try {
    return summarize(row, await measureContest(contest, row, scale));
  } finally {
    await contest.close?.();
  }
}

async function measureContest(
  { ours, references }: Contest,
  row: Row,
  scale: Scale,
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const contenders = [ours, ...references];
  const samples = new Map<string, Sample[]>(contenders.map(({ name }) => [name, []]));
  if (row.rounds === undefined) for (const contender of contenders) await contender.run();
  const rounds = Math.min(scale.rounds, row.rounds ?? scale.rounds);
  for (let round = 0; round < rounds; round += 1)
    for (const contender of contenders) samples.get(contender.name)?.push(await contender.run());
  return samples;
}
