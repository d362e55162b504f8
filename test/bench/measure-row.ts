import { summarize } from './summary.ts';
import type { RowResult } from './summary.ts';
import type { Contest, Row, Sample, Scale, World } from './row.ts';

/**
 * Measures a row: each contender once to warm up, then all of them in turn, as many rounds as the scale says,
 * so that whatever else the machine does meets all of them alike.
 */
export async function measureRow(row: Row, world: World, scale: Scale): Promise<RowResult> {
  const contest = await row.open(world, scale);
  try {
    return summarize(row, await measureContest(contest, scale.rounds));
  } finally {
    await contest.close?.();
  }
}

async function measureContest(
  { ours, references }: Contest,
  rounds: number,
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const contenders = [ours, ...references];
  const samples = new Map<string, Sample[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await contender.run();
  for (let round = 0; round < rounds; round += 1)
    for (const contender of contenders) samples.get(contender.name)?.push(await contender.run());
  return samples;
}
