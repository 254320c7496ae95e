import Sequencer from '@jest/test-sequencer';

/**
 * Which suites go first. Those of audits wait for the CLI, which lets all others go first (`lower-priority.ts`): beside
 * one another they lose nothing. Then those that take half a minute and more, so that none of them is left to run alone
 * at the end: a clean clone knows no durations, and Jest then goes by the files' sizes.
 */
const FIRST = [
  /\/test\/audit\/(tampered|verify)\.spec/,
  /\/test\/audit\//,
  // These wait for a verification too, which is the CLI.
  /\/test\/e2e\/(statements|console-reads)\./,
  /\/test\/e2e\/(extending-docs|connections|webhooks-delivery|efi-rail|limits-of-payees|shared-limits|abuse-bodies)\./,
  /\/test\/fault\/(driver|pressure|webhooks-crash|restart|shutdown|commit-cut|payout-files-sigkill)\./,
  /\/(embedded-postgres\/test\/server|test\/property\/med|test\/operations\/migrate)\./,
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const place = ({ path }) => [...FIRST, /^/].findIndex((one) => one.test(path));
    return super.sort(tests).sort((a, b) => place(a) - place(b));
  }
}
