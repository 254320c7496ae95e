import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** As CI has them, and `maxWorkers` of jest.config.js. */
const PROCESSORS = 2;
const AT_ONCE = 3;
/** What needs so much of a processor computes, what needs less waits. */
const COMPUTES = 0.7;

/**
 * The longest suites: seconds alone, and how many processors each needs meanwhile (`test/support/measure-suites.sh`).
 * Those that promise something about time need more than they use: `claimed`.
 */
const { measured, claimed } = JSON.parse(readFileSync(new URL('suites.json', import.meta.url), 'utf8'));
/** Others: what starts a service waits for it, units do not. */
const OF_TESTS = [4, 0.7];
const OF_UNITS = [0.5, 1];

function needOf(path) {
  const name = path.replace(/\.spec\.ts$/, '');
  const [seconds, processors] = measured[name] ?? (name.startsWith('test/') ? OF_TESTS : OF_UNITS);
  return { seconds, processors: claimed[name] ?? processors };
}

/**
 * What waits begins beside what computes, the longest first: as if each took as long as it takes alone. A clean clone
 * knows no durations, and Jest goes by the files' sizes then: three suites that wait together leave the processors idle
 * for a minute, and three that compute together keep one another waiting.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const left = super
      .sort(tests)
      .map((test) => ({ test, ...needOf(relative(test.context.config.rootDir, test.path)) }))
      .sort((a, b) => b.seconds - a.seconds);
    const sorted = [];
    const running = [];
    let now = 0;
    while (left.length > 0) {
      if (running.length === AT_ONCE) {
        running.sort((a, b) => b.end - a.end);
        now = running.pop().end;
      }
      const busy = running.reduce((sum, { processors }) => sum + processors, 0);
      const hasRoom = (PROCESSORS - busy) / (AT_ONCE - running.length) >= COMPUTES;
      const fits = left.findIndex(({ processors }) => processors >= COMPUTES === hasRoom);
      const [next] = left.splice(Math.max(0, fits), 1);
      running.push({ ...next, end: now + next.seconds });
      sorted.push(next.test);
    }
    return sorted;
  }
}
