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
  originKey: `${partner} ${origin}`,
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

  it('keeps nothing back from a partner for what another one does at the same origin', () => {
    const [theirs, mine] = [to('p', 'shared'), to('q', 'shared')];
    entered(theirs, 20);
    expect(entered(mine, 20)).toHaveLength(4);
    gate = new Gate(8, () => now);
    attempts(theirs, 20, false);
    expect(gate.enter(theirs)).toEqual({ notFor: 100, dead: false });
    expect(gate.allowances().origins.has(mine.originKey)).toBe(false);
    expect(entered(mine, 20)).toHaveLength(4);
  });

  it('forgets receivers of a partner that names very many, and none of another', () => {
    const known = to('q', 'known');
    attempts(known, 20, true);
    for (let i = 0; i < 5_000; i++) attempts(to('p', `origin ${i}`), 1, true);
    expect(entered(known, 20)).toHaveLength(8);
  });

  it('evicts those with an open circuit last', () => {
    const dead = to('p', 'dead');
    attempts(dead, 20, false);
    for (let i = 0; i < 600; i++) attempts(to('p', `origin ${i}`), 1, true);
    expect(gate.openCircuits().origins).toBe(1);
    for (let i = 0; i < 2_000; i++) attempts(to('p', `dead ${i}`), 20, false);
    expect(gate.openCircuits().origins).toBeLessThanOrEqual(512);
  });

  it('gives a receiver that keeps its attempts long what an unknown one has, and more only after many quick ones', () => {
    gate = new Gate(32, () => now);
    const receiver = to('p', 'a');
    attempts(receiver, 40, true);
    const passes = entered(receiver, 40);
    expect(passes).toHaveLength(32);
    now = 2_000;
    passes.forEach((pass) => pass.leave(true));
    const half = entered(receiver, 40);
    expect(half).toHaveLength(16);
    now = 15_500;
    half.forEach((pass) => pass.leave(true));
    const few = entered(receiver, 40);
    expect(few).toHaveLength(4);
    few.forEach((pass) => pass.leave(true));
    expect(gate.enter(receiver)).toHaveProperty('leave');
    attempts(receiver, 20, true);
    expect(entered(receiver, 40).length).toBeGreaterThan(25);
  });

  it('puts off what finds a slow address full for as long as one takes there, and goes on with the others', () => {
    const [slow, quick] = [to('p', 'a', '/slow'), to('p', 'a', '/quick')];
    gate = new Gate(32, () => now);
    attempts(quick, 40, true);
    const [pass] = entered(slow, 1);
    now = 8_000;
    pass!.leave(true);
    attempts(quick, 40, true);
    expect(entered(slow, 4)).toHaveLength(4);
    expect(gate.enter(slow)).toEqual({ notFor: 8_000, dead: false });
    expect(entered(quick, 4)).toHaveLength(4);
  });

  it('opens an origin’s circuit after failures in a row, asks for probes, and shows it in its allowances', () => {
    const dead = to('p', 'dead');
    attempts(dead, 20, false);
    expect(gate.enter(dead)).toEqual({ notFor: 100, dead: false });
    expect(gate.allowances().origins.get(dead.originKey)).toBe(0);
    expect(gate.openCircuits()).toEqual({ origins: 1, addresses: 1 });
    now = 1_000;
    expect(gate.allowances().origins.get(dead.originKey)).toBe(1);
    const probe = enter(dead);
    expect('notFor' in gate.enter(dead)).toBe(true);
    expect(gate.allowances().origins.get(dead.originKey)).toBe(0);
    expect(probe.leave(true)).toEqual({ dead: false, wasFull: true });
    expect(gate.openCircuits()).toEqual({ origins: 0, addresses: 0 });
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

  it('does not hold the probes of a dead address against its origin, whose others are alive', () => {
    const dead = to('p', 'shared', '/dead');
    const alive = to('p', 'shared', '/alive');
    attempts(dead, 20, false);
    now = 1_000;
    attempts(alive, 1, true);
    expect(gate.openCircuits()).toEqual({ origins: 0, addresses: 1 });
    for (let i = 0; i < 40; i++) {
      now += 30_000;
      attempts(dead, 1, false);
    }
    expect(gate.openCircuits()).toEqual({ origins: 0, addresses: 1 });
    expect(entered(alive, 20).length).toBeGreaterThan(1);
  });

  it('says of the attempt that opens the circuit, and of each probe that fails, that the origin is dead', () => {
    const dead = to('p', 'dead');
    gate = new Gate(32, () => now);
    attempts(dead, 40, true);
    const said = entered(dead, 32).map((pass) => pass.leave(false).dead);
    expect(said).toEqual(Array.from({ length: 32 }, (_, i) => i === 19));
    now = 1_000;
    expect(enter(dead).leave(false)).toMatchObject({ dead: true });
  });

  it('says since when a circuit is open and when its next probe is, and probes at once what somebody asks for', () => {
    const dead = to('p', 'shared', '/dead');
    for (let i = 0; i < 20; i++) {
      attempts(dead, 1, false);
      attempts(to('p', 'shared', '/alive'), 3, true);
    }
    const { since, nextProbeAt } = gate.circuitOf(dead)!;
    expect(nextProbeAt!.getTime() - since.getTime()).toBe(1_000);
    expect(gate.circuitOf(to('p', 'shared', '/alive'))).toBeNull();
    gate.hurry(to('q', 'shared', '/dead'));
    expect(gate.enter(dead)).toHaveProperty('notFor');
    gate.hurry(dead);
    const probe = enter(dead);
    expect(gate.circuitOf(dead)).toMatchObject({ nextProbeAt: null });
    probe.leave(true);
    expect(gate.circuitOf(dead)).toBeNull();
  });

  it('counts nothing against a receiver when the sender itself was closed', () => {
    const receiver = to('p', 'a');
    for (let i = 0; i < 20; i++) enter(receiver).leave(undefined);
    expect(gate.openCircuits()).toEqual({ origins: 0, addresses: 0 });
    expect(entered(receiver, 20)).toHaveLength(4);
  });
});
