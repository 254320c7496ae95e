import { describe, expect, it } from '@jest/globals';
import { Peers } from './peers.js';

const ALONE = { others: false, share: 1 };
const TOGETHER = { others: true, share: 1 };
const DEAF = { others: false, share: 1 / 3 };
const UNSETTLED = { others: true, share: 1 / 3 };

/** This process and two others, as they are heard on each of its beats. */
function beats(peers: Peers, times: number, others: readonly string[] = ['a', 'b']): Peers {
  for (let i = 0; i < times; i++) {
    peers.beat();
    peers.echo();
    for (const peer of others) peers.heard(peer);
  }
  return peers;
}

describe('the processes that serve', () => {
  it('are one where nobody else is heard: all is its own', () => {
    expect(new Peers().state()).toEqual(ALONE);
    expect(beats(new Peers(), 3, []).state()).toEqual(ALONE);
  });

  it('count together as soon as they hear each other, whoever is heard first', () => {
    expect(beats(new Peers(), 1).state()).toEqual(TOGETHER);
    const peers = new Peers();
    peers.heard('a');
    expect(beats(peers, 1).state()).toEqual(TOGETHER);
  });

  it('say who is new', () => {
    const peers = new Peers();
    expect([peers.heard('a'), peers.heard('a'), peers.heard('b')]).toEqual([true, false, true]);
  });

  it('each give away an equal part when they cannot: at once when the connection breaks, else after three beats', () => {
    const peers = beats(new Peers(), 2);
    for (let i = 0; i < 3; i++) peers.beat();
    expect(peers.state()).toEqual(TOGETHER);
    peers.beat();
    expect(peers.state()).toEqual(DEAF);
    const cut = beats(new Peers(), 2);
    cut.cut();
    expect(cut.state()).toEqual(DEAF);
    for (let i = 0; i < 1_000; i++) cut.beat();
    expect(cut.state()).toEqual(DEAF);
  });

  it('count together again a beat after they hear each other again', () => {
    const peers = beats(new Peers(), 2);
    peers.cut();
    expect(beats(peers, 1).state()).toEqual(UNSETTLED);
    expect(beats(peers, 1).state()).toEqual(TOGETHER);
  });

  it('go on with their part until all others are heard again, or have ended', () => {
    const peers = beats(new Peers(), 2);
    peers.cut();
    expect(beats(peers, 3, ['a']).state()).toEqual(UNSETTLED);
    expect(peers.heard('b')).toBe(true);
    expect(peers.state()).toEqual(TOGETHER);
    peers.cut();
    expect(beats(peers, 4, ['a']).state()).toEqual(TOGETHER);
  });

  it('are fewer when one says so, or is not heard for four beats', () => {
    const peers = beats(new Peers(), 1);
    peers.left('a');
    expect(beats(peers, 3, []).state()).toEqual(TOGETHER);
    expect(beats(peers, 1, []).state()).toEqual(ALONE);
  });
});
