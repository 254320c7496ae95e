import { jest } from '@jest/globals';

const REAL = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
];

/** From now on the date stands still until it is told to move: the only clock of this process that is not real. */
export function stopDate(): (at: number) => void {
  jest.useFakeTimers({ doNotFake: REAL });
  return (at) => jest.setSystemTime(at);
}
