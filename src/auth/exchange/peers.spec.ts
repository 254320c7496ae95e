import { describe, expect, it } from '@jest/globals';
import { Peers } from './peers.js';

const ALONE = { others: false, share: 1 };
const TOGETHER = { others: true, share: 1 };
const DEAF = { others: false, share: 1 / 3 };
const UNSETTLED = { others: true, share: 1 / 3 };

/** This process and two others, as they are heard on every beat of a while. */
function beats(peers: Peers, from: number, to: number, others: readonly string[] = ['a', 'b']): Peers {
  for (let now = from; now <= to; now += 500) {
    peers.heardSelf(now);
    for (const peer of others) peers.heard(peer, now);
  }
  return peers;
}

describe('the processes that serve', () => {
  it('are one where nobody else is heard: all is its own', () => {
    const peers = new Peers();
    expect(peers.state(0)).toEqual(ALONE);
    peers.heardSelf(0);
    expect(peers.state(0)).toEqual(ALONE);
  });

  it('count together once they have heard each other for a beat', () => {
    const peers = beats(new Peers(), 0, 0);
    expect(peers.state(499)).toEqual(UNSETTLED);
    expect(peers.state(500)).toEqual(TOGETHER);
  });

  it('say who is new', () => {
    const peers = new Peers();
    expect([peers.heard('a', 0), peers.heard('a', 1), peers.heard('b', 2)]).toEqual([true, false, true]);
  });

  it('each give away an equal part when they cannot: at once when the connection breaks, else after three beats', () => {
    const peers = beats(new Peers(), 0, 1_000);
    expect(peers.state(2_500)).toEqual(TOGETHER);
    expect(peers.state(2_501)).toEqual(DEAF);
    const cut = beats(new Peers(), 0, 1_000);
    cut.deafen();
    expect(cut.state(1_001)).toEqual(DEAF);
    expect(cut.state(60_000)).toEqual(DEAF);
  });

  it('go on with their part until all others are heard again, or have ended', () => {
    const peers = beats(new Peers(), 0, 1_000);
    peers.deafen();
    beats(peers, 60_000, 62_000, ['a']);
    expect(peers.state(62_000)).toEqual(UNSETTLED);
    expect(peers.state(62_001)).toEqual(TOGETHER);
    peers.deafen();
    beats(peers, 70_000, 70_000, ['a']);
    expect(peers.state(70_500)).toEqual(TOGETHER);
  });

  it('are fewer when one says so, or is not heard for two seconds', () => {
    const peers = beats(new Peers(), 0, 1_000);
    peers.left('a');
    beats(peers, 1_500, 3_000, []);
    expect(peers.state(3_000)).toEqual(TOGETHER);
    expect(peers.state(3_001)).toEqual(ALONE);
  });
});
