import common from './jest.config.js';

/** The suites of one server, on a cluster of three. */
export default {
  ...common,
  testMatch: ['<rootDir>/test/{e2e,fault,property}/**/*.spec.ts'],
  testPathIgnorePatterns: [
    ...common.testPathIgnorePatterns,
    // They are about a server of their own, or about documents.
    'test/fault/(data-dir|plans)',
    'test/e2e/(distribute|extending-docs|placements)',
    // They stand between the service and its only server, or put it back; test/cluster/ cuts and kills nodes.
    'test/fault/(clock|commit-cut|exhaustion|log-put-back|webhooks-chain)',
    // Two partners on one partition: here they are put on two.
    'test/e2e/abuse-isolation',
    // Citus 13.2.2 ends all sessions of the coordinator at their `reassign owned` (a segmentation fault).
    'test/e2e/privacy',
    // Their own SQL joins tables of the coordinator with distributed ones.
    'test/e2e/console-volume',
  ],
  globalSetup: '<rootDir>/test/support/cluster-setup.mjs',
};
