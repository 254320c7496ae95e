/**
 * Unit specs sit beside the code, those of a package in its folder; what needs a database or HTTP is in `test/` and
 * uses the built service. What needs a browser is in `test/browser/` and has a configuration of its own.
 */
export default {
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  testMatch: ['<rootDir>/{src,packages,test,clients,console/src}/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/', '<rootDir>/test/cluster/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // Two processors are busy with three suites: a fourth makes each slower, and nothing quicker
  // (docs/lab/experiments.md).
  maxWorkers: 3,
  // The modules of a suite stay in its worker's heap. One of half a gigabyte takes longer to end than Jest waits for.
  workerIdleMemoryLimit: '400MB',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // Hooks and tests start real servers; what a test promises about time, it says in its own deadlines.
  testTimeout: 30_000,
};
