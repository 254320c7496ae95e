import { describe, expect, it } from '@jest/globals';
import { placements } from '../../../migrations/placements.js';
import { distributionPlan, FRESH, PlacedOtherwise, type Standing } from './plan.js';

const done: Standing = {
  roleMayLogIn: true,
  limited: true,
  placed: new Map(
    Object.entries(placements).flatMap(([table, { kind }]) => (kind === 'local' ? [] : [[table, kind] as const])),
  ),
};

describe('the plan of a distribution', () => {
  it('places every table of a fresh database once, the head first, and leaves local ones alone', () => {
    const plan = distributionPlan(FRESH);
    const placed = plan.flatMap((statement) => /create_\w+_table\('([^']+)'/.exec(statement)?.[1] ?? []);
    expect([...placed].sort()).toEqual([...done.placed.keys()].sort());
    const distributed = plan.filter((statement) => statement.includes('create_distributed_table'));
    expect(distributed[0]).toBe(
      `select create_distributed_table('public.log_head', 'partition', colocate_with => 'public.partition_layout')`,
    );
    for (const statement of distributed.slice(1)) {
      expect(statement).toMatch(/, 'partition', colocate_with => 'public\.log_head'\)$/);
    }
    expect(plan[0]).toBe(`set local citus.multi_shard_modify_mode to 'sequential'`);
  });

  it('has nothing left where everything stands', () => {
    expect(distributionPlan(done)).toEqual([]);
  });

  it('places what a later migration added, and nothing else', () => {
    const placed = new Map([...done.placed].filter(([table]) => table !== 'public.tree_node'));
    expect(distributionPlan({ ...done, placed }).filter((statement) => statement.startsWith('select'))).toEqual([
      `select create_distributed_table('public.tree_node', 'partition', colocate_with => 'public.log_head')`,
    ]);
  });

  it.each([
    ['public.event', 'reference'],
    ['public.partner', 'distributed'],
    ['sandbox.charge', 'distributed'],
  ] as const)('is refused where %s stands as a %s table', (table, kind) => {
    const placed = new Map([...done.placed, [table, kind]]);
    expect(() => distributionPlan({ ...done, placed })).toThrow(PlacedOtherwise);
  });
});
