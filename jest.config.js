/** Runs under NODE_OPTIONS=--experimental-vm-modules; apps/standalone/bootstrap.mjs sets it and provides Redis and MongoDB. */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons', 'feedmesh-source'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  testMatch: ['<rootDir>/{apps,libs,test}/**/*.spec.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  setupFiles: ['<rootDir>/test/support/setup.ts'],
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.mjs'],
  // Only stops a hang, as `hangLimit` of test/support/until.ts does a little earlier.
  testTimeout: 360_000,
  // The processes under test wait for each other more than they work.
  maxWorkers: '100%',
  coverageProvider: 'v8',
  collectCoverageFrom: ['apps/**/*.ts', 'libs/**/*.ts', '!**/*.spec.ts'],
};
