import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { ByteBudget } from './byte-budget.js';

const answer = () => new EventEmitter() as ServerResponse;

describe('bodies that take memory', () => {
  /** @returns how many of them were let in */
  const taken = (budget: ByteBudget, caller: string, times: number, given = answer()) => {
    given.setMaxListeners(times);
    for (let i = 0; i < times; i += 1) {
      try {
        budget.takeUntilAnswered(given, caller, 1);
      } catch {
        return i;
      }
    }
    return times;
  };

  it('leave room for who has none, however much the others take', () => {
    const budget = new ByteBudget({ ofAll: 64, ofOne: 16 });
    expect(['a', 'b', 'c', 'd', 'e'].map((caller) => taken(budget, caller, 20))).toEqual([16, 16, 16, 1, 1]);
    expect(Array.from({ length: 20 }, (_, i) => taken(budget, String(i), 1)).filter((one) => one === 1)).toHaveLength(
      14,
    );
  });

  it('give it back with their answers', () => {
    const budget = new ByteBudget({ ofAll: 64, ofOne: 16 });
    const given = answer();
    expect(taken(budget, 'a', 20, given)).toBe(16);
    given.emit('close');
    expect(taken(budget, 'a', 20)).toBe(16);
  });
});
