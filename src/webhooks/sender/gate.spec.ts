import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Destination, Gate, type Pass } from './gate.js';

let now: number;
let gate: Gate;

beforeEach(() => {
  now = 0;
  gate = new Gate(8, () => now);
});

const to = (partner: string, origin: string, path = '/'): Destination => ({
  partnerUid: partner,
  lane: `${partner} ${origin}`,
  origin,
  address: origin + path,
});

function enter(destination: Destination): Pass {
  const pass = gate.enter(destination);
  if ('notFor' in pass) throw new Error('no room');
  return pass;
}

function entered(destination: Destination, attempts: number): Pass[] {
  const passes: Pass[] = [];
  for (let i = 0; i < attempts; i++) {
    const pass = gate.enter(destination);
    if ('leave' in pass) passes.push(pass);
  }
  return passes;
}

/** Attempts one after another that all end alike. */
function attempts(destination: Destination, count: number, alive: boolean): void {
  for (let i = 0; i < count; i++) enter(destination).leave(alive);
}

describe('the gate', () => {
  it('gives an unknown receiver little room, and one that answers more, up to the connections there are', () => {
    const receiver = to('p', 'a');
    expect(entered(receiver, 20)).toHaveLength(4);
    gate = new Gate(8, () => now);
    attempts(receiver, 20, true);
    expect(entered(receiver, 20)).toHaveLength(8);
  });

  it('gives a receiver that fails less room', () => {
    const receiver = to('p', 'a');
    attempts(receiver, 20, true);
    attempts(receiver, 2, false);
    expect(entered(receiver, 20)).toHaveLength(2);
  });

  it('keeps nothing back from others when one hangs', () => {
    entered(to('p', 'dead'), 20);
    expect(entered(to('p', 'alive'), 20)).toHaveLength(4);
    expect(entered(to('q', 'other'), 20)).toHaveLength(4);
  });

  it('never holds more than the connections of an origin that partners share', () => {
    const passes = ['p', 'q', 'r'].flatMap((partner) => entered(to(partner, 'shared'), 20));
    expect(passes).toHaveLength(8);
  });

  it('bounds a partner over all of its origins', () => {
    const passes = Array.from({ length: 60 }, (_, i) => entered(to('p', `origin ${i}`), 4)).flat();
    expect(passes).toHaveLength(128);
    expect(entered(to('q', 'another'), 4)).toHaveLength(4);
  });

  it('closes a lane after failures in a row, asks for probes, and says so in its allowances', () => {
    const dead = to('p', 'dead');
    attempts(dead, 20, false);
    expect(gate.enter(dead)).toEqual({ notFor: 100, dead: false });
    expect(gate.allowances().lanes.get(dead.lane)).toBe(0);
    expect(gate.openCircuits()).toEqual({ lanes: 1, addresses: 1 });
    now = 1_000;
    expect(gate.allowances().lanes.get(dead.lane)).toBe(1);
    const probe = enter(dead);
    expect('notFor' in gate.enter(dead)).toBe(true);
    expect(gate.allowances().lanes.get(dead.lane)).toBe(0);
    expect(probe.leave(true)).toEqual({ dead: false, wasFull: true });
    expect(gate.openCircuits()).toEqual({ lanes: 0, addresses: 0 });
    expect('leave' in gate.enter(dead)).toBe(true);
  });

  it("tells a dead address from its origin's others: it waits for its probe, they go on", () => {
    const dead = to('p', 'shared', '/dead');
    const alive = to('p', 'shared', '/alive');
    for (let i = 0; i < 20; i++) {
      attempts(dead, 1, false);
      attempts(alive, 3, true);
    }
    expect(gate.enter(dead)).toEqual({ notFor: 1_000, dead: true });
    expect(entered(alive, 20).length).toBeGreaterThan(1);
  });

  it('counts nothing against a receiver when the sender itself was closed', () => {
    const receiver = to('p', 'a');
    for (let i = 0; i < 20; i++) enter(receiver).leave(undefined);
    expect(gate.openCircuits()).toEqual({ lanes: 0, addresses: 0 });
    expect(entered(receiver, 20)).toHaveLength(4);
  });
});
