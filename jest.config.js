import { availableParallelism } from 'node:os';

/** apps/standalone/bootstrap.mjs provides Redis and MongoDB. */
export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
  transform: {},
  testMatch: ['<rootDir>/{apps,libs,test,tools}/**/*.spec.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  globalSetup: '<rootDir>/test/support/jest/name-run.mjs',
  globalTeardown: '<rootDir>/test/support/jest/drop-databases.mjs',
  setupFiles: ['<rootDir>/test/support/setup.ts'],
  testSequencer: '<rootDir>/test/support/long-first.mjs',
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.mjs'],
  // Only stops a hang, as `hangLimit` of test/support/until.ts does a little earlier.
  testTimeout: 360_000,
  // Two more than there are cores, as many files wait for processes and databases; but see redis-database.ts:
  // each worker has three of 64 databases.
  maxWorkers: Math.min(availableParallelism() + 2, 18),
  // What a file leaves behind stays in the memory of its worker. A new one loads everything again.
  workerIdleMemoryLimit: '1GB',
};
