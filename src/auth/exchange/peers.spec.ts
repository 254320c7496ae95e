import { describe, expect, it } from '@jest/globals';
import { Peers } from './peers.js';

const ALONE = { hasPeers: false, share: 1 };
const TOGETHER = { hasPeers: true, share: 1 };
const DISCONNECTED = { hasPeers: false, share: 1 / 3 };
const UNSETTLED = { hasPeers: true, share: 1 / 3 };

/** This process and two others, which it hears from at each of its heartbeats. */
function beats(peers: Peers, times: number, others: readonly string[] = ['a', 'b']): Peers {
  for (let i = 0; i < times; i++) {
    peers.beat();
    peers.echo();
    for (const peer of others) peers.received(peer);
  }
  return peers;
}

describe('the serving processes', () => {
  it('are one without messages of others: the whole limit is its own', () => {
    expect(new Peers().state()).toEqual(ALONE);
    expect(beats(new Peers(), 3, []).state()).toEqual(ALONE);
  });

  it('count together as soon as they receive each other, whichever comes first', () => {
    expect(beats(new Peers(), 1).state()).toEqual(TOGETHER);
    const peers = new Peers();
    peers.received('a');
    expect(beats(peers, 1).state()).toEqual(TOGETHER);
  });

  it('tell new peers from known ones', () => {
    const peers = new Peers();
    expect([peers.received('a'), peers.received('a'), peers.received('b')]).toEqual([true, false, true]);
  });

  it('each grant an equal share otherwise: at once when the connection breaks, else after three heartbeats', () => {
    const peers = beats(new Peers(), 2);
    for (let i = 0; i < 3; i++) peers.beat();
    expect(peers.state()).toEqual(TOGETHER);
    peers.beat();
    expect(peers.state()).toEqual(DISCONNECTED);
    const broken = beats(new Peers(), 2);
    broken.disconnected();
    expect(broken.state()).toEqual(DISCONNECTED);
    for (let i = 0; i < 1_000; i++) broken.beat();
    expect(broken.state()).toEqual(DISCONNECTED);
  });

  it('count together again one heartbeat after the reconnection', () => {
    const peers = beats(new Peers(), 2);
    peers.disconnected();
    expect(beats(peers, 1).state()).toEqual(UNSETTLED);
    expect(beats(peers, 1).state()).toEqual(TOGETHER);
  });

  it('keep their share until all others are back, or have ended', () => {
    const peers = beats(new Peers(), 2);
    peers.disconnected();
    expect(beats(peers, 3, ['a']).state()).toEqual(UNSETTLED);
    expect(peers.received('b')).toBe(true);
    expect(peers.state()).toEqual(TOGETHER);
    peers.disconnected();
    expect(beats(peers, 4, ['a']).state()).toEqual(TOGETHER);
  });

  it('are fewer when one leaves, or is silent for four heartbeats', () => {
    const peers = beats(new Peers(), 1);
    peers.left('a');
    expect(beats(peers, 3, []).state()).toEqual(TOGETHER);
    expect(beats(peers, 1, []).state()).toEqual(ALONE);
  });
});
