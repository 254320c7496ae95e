import { describe, expect, it } from '@jest/globals';
import { FailureDetector } from './failure-detector.js';

const ALONE = { hasPeers: false, share: 1 };
const TOGETHER = { hasPeers: true, share: 1 };
const DISCONNECTED = { hasPeers: false, share: 1 / 3 };
const UNSETTLED = { hasPeers: true, share: 1 / 3 };

/** This process and two others, which it hears from at each of its heartbeats. */
function beats(detector: FailureDetector, times: number, others: readonly string[] = ['a', 'b']): FailureDetector {
  for (let i = 0; i < times; i++) {
    detector.beat();
    detector.echo();
    for (const peer of others) detector.received(peer);
  }
  return detector;
}

describe('the serving processes', () => {
  it('are one without messages of others: the whole limit is its own', () => {
    expect(new FailureDetector().state()).toEqual(ALONE);
    expect(beats(new FailureDetector(), 3, []).state()).toEqual(ALONE);
  });

  it('count together as soon as they receive each other, whichever comes first', () => {
    expect(beats(new FailureDetector(), 1).state()).toEqual(TOGETHER);
    const detector = new FailureDetector();
    detector.received('a');
    expect(beats(detector, 1).state()).toEqual(TOGETHER);
  });

  it('tell new peers from known ones', () => {
    const detector = new FailureDetector();
    expect([detector.received('a'), detector.received('a'), detector.received('b')]).toEqual([true, false, true]);
  });

  it('each grant an equal share otherwise: at once when the connection breaks, else after three heartbeats', () => {
    const detector = beats(new FailureDetector(), 2);
    for (let i = 0; i < 3; i++) detector.beat();
    expect(detector.state()).toEqual(TOGETHER);
    detector.beat();
    expect(detector.state()).toEqual(DISCONNECTED);
    const broken = beats(new FailureDetector(), 2);
    broken.disconnected();
    expect(broken.state()).toEqual(DISCONNECTED);
    for (let i = 0; i < 1_000; i++) broken.beat();
    expect(broken.state()).toEqual(DISCONNECTED);
  });

  it('count together again one heartbeat after the reconnection', () => {
    const detector = beats(new FailureDetector(), 2);
    detector.disconnected();
    expect(beats(detector, 1).state()).toEqual(UNSETTLED);
    expect(beats(detector, 1).state()).toEqual(TOGETHER);
  });

  it('keep their share until all others are back, or have ended', () => {
    const detector = beats(new FailureDetector(), 2);
    detector.disconnected();
    expect(beats(detector, 3, ['a']).state()).toEqual(UNSETTLED);
    expect(detector.received('b')).toBe(true);
    expect(detector.state()).toEqual(TOGETHER);
    detector.disconnected();
    expect(beats(detector, 4, ['a']).state()).toEqual(TOGETHER);
  });

  it('are fewer when one leaves, or is silent for four heartbeats', () => {
    const detector = beats(new FailureDetector(), 1);
    detector.left('a');
    expect(beats(detector, 3, []).state()).toEqual(TOGETHER);
    expect(beats(detector, 1, []).state()).toEqual(ALONE);
  });
});
