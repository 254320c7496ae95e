import { describe, expect, it } from '@jest/globals';
import { proposeMoves as propose, type Weighed } from './placement.js';
import { DistributionRefused } from './refused.js';

const nodes = new Map([
  ['1', 'a:5432'],
  ['2', 'b:5432'],
]);

function partition(number: number, node: string, eventsPerSecond: number, shard = `${100 + number}`): Weighed {
  return { partition: number, node, shard, events: 10, bytes: 1, eventsPerSecond };
}

const proposeMoves = (placement: Omit<Parameters<typeof propose>[0], 'waiting'>) =>
  propose({ ...placement, waiting: [] });

describe('proposed moves', () => {
  it('are refused where no node takes shards', () => {
    const placement = { nodes: new Map<string, string>(), partitions: [partition(1, '1', 100)] };
    expect(() => proposeMoves(placement)).toThrow(DistributionRefused);
  });

  it('are none where nodes are even', () => {
    expect(proposeMoves({ nodes, partitions: [partition(1, '1', 100), partition(2, '2', 100)] })).toEqual([]);
  });

  it('go by load, not by how many partitions a node has', () => {
    const partitions = [partition(0, '1', 0), partition(1, '1', 900), partition(2, '2', 300), partition(3, '2', 300)];
    expect(proposeMoves({ nodes, partitions: [...partitions, partition(4, '2', 300)] })).toEqual([]);
    expect(proposeMoves({ nodes, partitions: [...partitions, partition(4, '1', 300)] })).toEqual([
      { partition: 4, shard: '104', from: '1', to: '2', isEmpty: false },
    ]);
  });

  it('fill a node that has just come, one after another', () => {
    const partitions = [1, 2, 3, 4, 5, 6].map((number) => partition(number, '1', 100));
    const moves = proposeMoves({ nodes, partitions });
    expect(moves.map(({ from, to }) => [from, to])).toEqual([
      ['1', '2'],
      ['1', '2'],
      ['1', '2'],
    ]);
    expect(new Set(moves.map((move) => move.partition)).size).toBe(3);
  });

  it('spread what has no load by its events', () => {
    const partitions = [1, 2, 3, 4].map((number) => partition(number, '1', 0));
    expect(proposeMoves({ nodes, partitions })).toHaveLength(2);
  });

  it('move two partitions of one shard once', () => {
    const partitions = [partition(1, '1', 50, '100'), partition(2, '1', 50, '100'), partition(3, '1', 100)];
    expect(proposeMoves({ nodes, partitions })).toHaveLength(1);
  });

  it('empty a node that takes no shards any more', () => {
    const moves = proposeMoves({ nodes: new Map([['2', 'b:5432']]), partitions: [partition(1, '9', 100)] });
    expect(moves).toEqual([{ partition: 1, shard: '101', from: '9', to: '2', isEmpty: false }]);
  });

  it('empty it of shards that wait for their partitions too, each once, and leave those of other nodes', () => {
    const waiting = (number: number, node: string, shard = `${100 + number}`) => {
      return { partition: number, node, shard, events: null };
    };
    const moves = propose({
      nodes,
      partitions: [partition(1, '1', 100), partition(2, '2', 100), partition(3, '9', 0, '103')],
      waiting: [waiting(4, '9'), waiting(5, '1'), waiting(6, '9'), waiting(33, '9', '104'), waiting(34, '9', '103')],
    });
    expect(moves.filter(({ isEmpty }) => isEmpty).map(({ partition, to }) => [partition, to])).toEqual([
      [4, '2'],
      [6, '1'],
    ]);
    expect(moves.filter(({ isEmpty }) => !isEmpty).map((move) => move.partition)).toEqual([3]);
  });
});
