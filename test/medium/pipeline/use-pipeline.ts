import { afterAll, beforeAll } from '@jest/globals';
import { PipelineUnderTest } from './pipeline-under-test.ts';
import type { ServiceName } from './pipeline-under-test.ts';

/** A pipeline for all tests of a file, in which these services run. */
export function usePipeline(
  settings: Record<string, string> = {},
  ...services: readonly ServiceName[]
): PipelineUnderTest {
  const pipeline = new PipelineUnderTest();
  beforeAll(async () => {
    await pipeline.open(settings);
    await pipeline.start(...services);
  });
  afterAll(() => pipeline.close());
  return pipeline;
}
