/** `@jest/globals` of the test file that is being loaded. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis[Symbol.for('feedmesh.test-globals')];
