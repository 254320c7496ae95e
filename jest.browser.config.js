import base from './jest.config.js';

/** The console in a real Chromium (`npm run test:browser`): one browser at a time. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/browser/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
