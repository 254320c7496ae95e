import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { roomWithoutOwners, Shares, type WorkShare } from './shares.js';

interface Item {
  readonly share: WorkShare;
}

const items = (owner: string, target: string, count: number): Item[] =>
  Array.from({ length: count }, () => ({ share: { owner, target } }));
const count = (picked: readonly Item[], of: Partial<WorkShare>): number =>
  picked.filter(
    ({ share }) => share.owner === (of.owner ?? share.owner) && share.target === (of.target ?? share.target),
  ).length;

/** Picks as `LeasedWork` does, and begins what was picked. */
function begin(shares: Shares, candidates: readonly Item[]): Item[] {
  const picked = shares.pick(candidates);
  for (const { share } of picked) shares.begin(share);
  return picked;
}

const OWN = 8;
const share = fc.record({ owner: fc.constantFrom('a', 'b', 'c', 'd'), target: fc.constantFrom('x', 'y', 'z') });
const some = fc.array(fc.record({ share }), { maxLength: 60 });
const alone = fc.integer({ min: 1, max: 40 });

describe('shares of slots', () => {
  it('of one owner go to the target that holds least, by what has ended too', () => {
    const shares = new Shares(4);
    const next = () => shares.pick([...items('a', 'x', 1), ...items('a', 'y', 1)]).map(({ share }) => share.target);
    const [x, y] = [items('a', 'x', 1)[0]!.share, items('a', 'y', 1)[0]!.share];
    expect(next()).toEqual(['x', 'y']);
    for (const one of [x, x, y]) shares.begin(one);
    expect(next()[0]).toBe('y');
    shares.end(x);
    expect(next()[0]).toBe('x');
    shares.begin(y);
    shares.end(x);
    expect(next()[0]).toBe('x');
    shares.end(y);
    shares.end(y);
    expect(next()).toEqual(['x', 'y']);
  });

  it('tell of an end whether any owner was at its limit', () => {
    const shares = new Shares(8);
    const [a, b] = [items('a', 'x', 1)[0]!.share, items('b', 'x', 1)[0]!.share];
    shares.begin(b);
    for (let i = 0; i < 8; i++) shares.begin(a);
    expect(shares.end(b)).toBe(true);
    for (let i = 0; i < 8; i++) expect(shares.end(a)).toBe(i === 0);
  });

  it('are all of one owner that is alone, whatever its targets', () => {
    fc.assert(
      fc.property(
        alone,
        fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 80 }),
        fc.nat(80),
        (slots, targets, held) => {
          const candidates = targets.map((target) => ({ share: { owner: 'a', target } }));
          const shares = new Shares(slots);
          const first = begin(shares, candidates.slice(0, held)).length;
          const second = begin(shares, candidates.slice(held)).length;
          expect(first + second).toBe(Math.min(slots, candidates.length));
        },
      ),
    );
  });

  it('leave no owner without its own few, whatever the others hold and however much of theirs stands before', () => {
    fc.assert(
      fc.property(alone, fc.array(some, { maxLength: 8 }), fc.integer({ min: 1, max: 20 }), (slots, before, wanted) => {
        const shares = new Shares(slots);
        for (const round of before) begin(shares, round);
        const picked = shares.pick([...items('a', 'x', 500), ...items('late', 'x', wanted)]);
        expect(count(picked, { owner: 'late' })).toBeGreaterThanOrEqual(Math.min(OWN, slots, wanted));
      }),
    );
  });

  it('are equal among owners that all want more, within one, and keep an equal part free for the next', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(), (owners, alone) => {
        const shares = new Shares(64);
        const wanted = Array.from({ length: owners }, (_, i) => items(`owner ${i}`, 'x', 20));
        const held = [1, 2, 3, 4].flatMap(() => begin(shares, wanted[alone % owners]!));
        // The first one took more while it was alone. Work ends, the oldest first, and what comes free goes to who has
        // less.
        for (let turn = 0; turn < 100; turn++) {
          held.push(...begin(shares, wanted.flat()));
          for (const { share } of held.splice(0, 4)) shares.end(share);
        }
        held.push(...begin(shares, wanted.flat()));
        const part = Math.floor(128 / (owners + 1));
        for (const [{ share }] of wanted as [Item][]) {
          expect(Math.abs(count(held, share) - Math.max(part, OWN))).toBeLessThanOrEqual(1);
        }
        const next = begin(shares, items('next', 'x', 600)).length;
        expect(next).toBeGreaterThanOrEqual(Math.max(OWN, Math.floor(part / 2)));
      }),
      { numRuns: 25 },
    );
  });

  it('go to who holds least: nobody is passed over for one that holds more', () => {
    fc.assert(
      fc.property(alone, some, some, (slots, first, second) => {
        const shares = new Shares(slots);
        const held = begin(shares, first);
        const picked = shares.pick(second);
        const after = (of: Partial<WorkShare>) => count(held, of) + count(picked, of);
        for (const { share: left } of second.filter((item) => !picked.includes(item))) {
          for (const { share: taken } of picked) {
            expect(after({ owner: taken.owner })).toBeLessThanOrEqual(after({ owner: left.owner }) + 1);
            if (taken.owner === left.owner) expect(after(taken)).toBeLessThanOrEqual(after(left) + 1);
          }
        }
      }),
    );
  });

  it('are bounded in all, but for the few that are everybody’s own', () => {
    fc.assert(
      fc.property(alone, fc.array(some, { maxLength: 10 }), (slots, rounds) => {
        const shares = new Shares(slots);
        const held = rounds.flatMap((round) => begin(shares, round));
        expect(held.length).toBeLessThanOrEqual(2 * slots + 4 * OWN);
      }),
    );
  });

  it('tell the room that there is: as much as is picked of one owner', () => {
    fc.assert(
      fc.property(alone, some, (slots, first) => {
        const shares = new Shares(slots);
        begin(shares, first);
        const { owners, others } = shares.room();
        for (const owner of ['a', 'b', 'c', 'd', 'new']) {
          expect(shares.pick(items(owner, 'x', 500))).toHaveLength(owners.get(owner) ?? others);
        }
      }),
    );
  });

  it('come back when work ends, which tells whether somebody waits for that', () => {
    const shares = new Shares(10);
    begin(shares, items('a', 'x', 9));
    expect(shares.end({ owner: 'a', target: 'x' })).toBe(false);
    begin(shares, items('a', 'x', 5));
    expect(shares.end({ owner: 'a', target: 'x' })).toBe(true);
    for (let i = 0; i < 9; i++) shares.end({ owner: 'a', target: 'x' });
    expect(shares.room()).toEqual(new Shares(10).room());
  });

  it('of work that names no owner are those of one', () => {
    const shares = new Shares(3);
    expect(shares.pick(Array.from({ length: 9 }, () => ({})))).toHaveLength(3);
    shares.begin();
    expect(roomWithoutOwners(shares.room())).toBe(2);
  });
});
