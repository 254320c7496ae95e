import Sequencer from '@jest/test-sequencer';

/**
 * Which suites go first: those that take half a minute and more, so that none of them is left to run alone at the end.
 * A clean clone knows no durations, and Jest then goes by the files' sizes.
 */
const FIRST = [
  /\/test\/audit\/(checkpoints|tampered|verify|replay-export|key-rotation)\./,
  // These wait for a verification, which is the CLI.
  /\/test\/e2e\/(statements|console-reads)\./,
  /\/test\/e2e\/(connections|webhooks-delivery|efi-rail|limits-of-payees|shared-limits|abuse-bodies)\./,
  /\/test\/fault\/(driver|webhooks-crash|restart|shutdown|commit-cut|payout-files-sigkill)\./,
  /\/(embedded-postgres\/test\/server|test\/property\/med|test\/operations\/migrate)\./,
];

/**
 * What asks for a share of the processor begins when those are nearly over: when some forty suites have begun. Beside
 * one another they would not have it: each begins a dozen suites after the one before.
 */
const LATER = /\/test\/(e2e\/console-circuits|fault\/(pressure|workers))\./;
const BEFORE_LATER = 40;
const APART = 12;

/**
 * It builds the service, and then checks all types while a test waits: a minute and a half of one processor. Beside two
 * others, whichever they are, all of it takes twice as long as alone. So the rest is over before it checks the types.
 */
const BUILDS = /\/test\/e2e\/extending-docs\./;
const BEFORE_END = 30;

/** The suites of audits compute nearly all the time, as the CLI does. Others wait for half of theirs. */
const COMPUTES = /\/test\/audit\//;

export default class LongestFirst extends Sequencer {
  /** One of three computes: beside one another they would keep each other waiting. */
  sort(tests) {
    const place = ({ path }) => [...FIRST, /^/].findIndex((one) => one.test(path));
    const sorted = super.sort(tests).sort((a, b) => place(a) - place(b));
    const those = (pattern) => sorted.filter(({ path }) => pattern.test(path));
    const computing = those(COMPUTES);
    const others = sorted.filter(({ path }) => ![COMPUTES, LATER, BUILDS].some((one) => one.test(path)));
    const mixed = others.flatMap((test, i) => (i % 2 === 0 ? [...computing.splice(0, 1), test] : [test]));
    const all = [...mixed, ...computing];
    those(LATER).forEach((test, i) => all.splice(BEFORE_LATER + i * (APART + 1), 0, test));
    all.splice(-BEFORE_END, 0, ...those(BUILDS));
    return all;
  }
}
