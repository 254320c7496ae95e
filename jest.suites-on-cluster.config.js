import common from './jest.config.js';

/** The suites of one server, on a cluster of three; not those that are about a server of their own. */
export default {
  ...common,
  testMatch: ['<rootDir>/test/{e2e,fault,property,audit,operations}/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/support/cluster-setup.mjs',
};
