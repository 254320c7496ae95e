import common from './jest.config.js';

/**
 * On a real cluster of several machines, each a server of its own here. One file at a time: each has a whole cluster.
 */
export default {
  ...common,
  testMatch: ['<rootDir>/test/cluster/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/support/one-priority.mjs',
  globalTeardown: undefined,
  maxWorkers: 1,
};
