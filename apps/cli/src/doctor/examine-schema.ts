import type { OpenStore, SchemaFinding, SchemaReport } from '#store';
import { causeOf } from '../cause.ts';

/** A finding, and what a repair did about it: without either, there was none. */
export type ExaminedFinding = SchemaFinding & {
  readonly repaired?: true;
  /** Why MongoDB refused it. */
  readonly refused?: string;
};

/** What is wrong with indexes and shard keys, and after a repair what is left. */
export interface ExaminedSchema extends SchemaReport {
  readonly findings: readonly ExaminedFinding[];
}

/** Examines indexes and shard keys. With `repair` creates missing indexes; shard keys are left to people. */
export async function examineSchema(
  { schema }: Pick<OpenStore, 'schema'>,
  repair: boolean,
): Promise<ExaminedSchema> {
  const { findings, unknown } = await schema.examine();
  if (!repair) return { findings, unknown };
  const examined: ExaminedFinding[] = [];
  for (const finding of findings)
    examined.push(finding.problem === 'missing-index' ? await created(schema, finding) : finding);
  return { findings: examined, unknown };
}

async function created(
  schema: OpenStore['schema'],
  finding: SchemaFinding & { readonly problem: 'missing-index' },
): Promise<ExaminedFinding> {
  try {
    await schema.createIndex(finding.collection, finding.index);
    return { ...finding, repaired: true };
  } catch (error) {
    return { ...finding, refused: causeOf(error) };
  }
}
