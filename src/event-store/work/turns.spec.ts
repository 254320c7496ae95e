import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

interface Item {
  readonly id: string;
  readonly share?: { readonly owner: string; readonly target: string };
}

const of = (owner: string, id = owner): Item => ({ id, share: { owner, target: owner } });
const many = (owner: string, count: number) => Array.from({ length: count }, (_, i) => of(owner, `${owner}${i}`));

/** Whose turns they are, where what had one waits again behind all others. */
function played(turns: Turns, waiting: Item[], count: number): string[] {
  return Array.from({ length: count }, () => {
    const [next] = turns.pick(waiting);
    turns.begin(next!.share);
    turns.end();
    waiting.push(...waiting.splice(waiting.indexOf(next!), 1));
    return next!.id;
  });
}

describe('turns', () => {
  it('are of each owner as often, however many items one has, and of its oldest one', () => {
    const waiting = [...many('a', 50), of('b'), of('c')];
    expect(played(new Turns(), waiting, 6)).toEqual(['a0', 'b', 'c', 'a1', 'b', 'c']);
  });

  it('are all of one that is alone', () => {
    expect(played(new Turns(), many('a', 2), 3)).toEqual(['a0', 'a1', 'a0']);
  });

  it('are at once of one that had none, and never missed by one that comes again', () => {
    const turns = new Turns();
    const waiting = [of('a'), of('b')];
    played(turns, waiting, 3);
    waiting.push(of('new'));
    expect(played(turns, waiting, 3)).toEqual(['new', 'b', 'a']);
    expect(played(turns, [of('a'), of('new')], 1)).toEqual(['new']);
  });

  it('of work that names no owner are those of one', () => {
    expect(played(new Turns(), [{ id: 'x' }, { id: 'y' }, of('a')], 4)).toEqual(['x', 'a', 'y', 'a']);
  });

  it('are one at a time', () => {
    const turns = new Turns();
    expect(turns.room()).toMatchObject({ others: 1, limit: 1 });
    turns.begin(of('a').share);
    expect(turns.room()).toMatchObject({ others: 0, limit: 0 });
    expect(turns.pick([of('b')])).toEqual([]);
    expect(turns.end()).toBe(true);
    expect(turns.pick([])).toEqual([]);
  });
});
