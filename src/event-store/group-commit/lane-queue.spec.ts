import { describe, expect, it } from '@jest/globals';
import { LaneQueue } from './lane-queue.js';

const OPTIONS = { batchSize: 8, queueSize: 40, maxQueueWait: 100, deadline: 1_000 };

interface Command {
  readonly name: string;
  readonly deadline: number;
  readonly parts?: readonly unknown[];
}

const one = (name: string, at = 0): Command => ({ name, deadline: at + OPTIONS.deadline });
const many = (name: string, n: number) => Array.from({ length: n }, (_, i) => one(`${name}${i}`));
const unit = (name: string, n: number): Command => ({ ...one(name), parts: Array.from({ length: n }) });
const names = (commands: readonly Command[]) => commands.map(({ name }) => name).join(' ');

class Queue extends LaneQueue<Command> {
  /** The next batch. */
  next(most = OPTIONS.batchSize): Command[] {
    const { single, many } = this.take(most);
    return [...single, ...many];
  }
}

const queue = () => new Queue(OPTIONS);

describe('the next batch', () => {
  it('is what waits, in its order, where nobody asked for many', () => {
    const waiting = queue();
    for (const command of many('s', 10)) waiting.push(command);
    expect(names(waiting.next())).toBe('s0 s1 s2 s3 s4 s5 s6 s7');
    expect(names(waiting.next())).toBe('s8 s9');
    expect(waiting.isEmpty).toBe(true);
  });

  it('has half for single commands: one waits for the batch before it, however many others wait', () => {
    const waiting = queue();
    waiting.pushAll('a', many('a', 20));
    expect(names(waiting.next())).toBe('a0 a1 a2 a3 a4 a5 a6 a7');
    for (const command of many('s', 5)) waiting.push(command);
    expect(names(waiting.next())).toBe('s0 s1 s2 s3 a8 a9 a10 a11');
    expect(names(waiting.next())).toBe('s4 a12 a13 a14 a15 a16 a17 a18');
  });

  it('has no more of requests of many than it is told', () => {
    const waiting = queue();
    waiting.pushAll('a', many('a', 20));
    waiting.push(one('s'));
    expect(names(waiting.next(3))).toBe('s a0 a1 a2');
  });

  it('lets owners take turns, each in its order, and leaves no room unused', () => {
    const waiting = queue();
    waiting.pushAll('a', many('a', 20));
    waiting.pushAll('b', many('b', 5));
    waiting.pushAll('c', many('c', 1));
    expect(names(waiting.next())).toBe('a0 a1 a2 b0 b1 b2 c0 a3');
    expect(names(waiting.next())).toBe('b3 b4 a4 a5 a6 a7 a8 a9');
  });

  it('never divides what is one, and takes it alone where it is larger than its room', () => {
    const waiting = queue();
    waiting.pushAll('a', many('a', 2));
    waiting.pushAll('b', [unit('B', 100)]);
    expect(names(waiting.next())).toBe('a0 a1');
    waiting.pushAll('a', many('x', 9));
    expect(names(waiting.next())).toBe('B');
    expect(names(waiting.next())).toBe('x0 x1 x2 x3 x4 x5 x6 x7');
    waiting.push(one('s'));
    expect(waiting.length).toBe(2);
  });
});

describe('the room for requests of many', () => {
  it('is shared: an owner has less where more of them wait, but each may have one', () => {
    const waiting = queue();
    expect(waiting.isTooLongFor('a', 1_000, 0)).toBe(false);
    waiting.pushAll('a', many('a', 15));
    expect(waiting.isTooLongFor('a', 5, 0)).toBe(false);
    expect(waiting.isTooLongFor('a', 6, 0)).toBe(true);
    waiting.pushAll('b', many('b', 1));
    expect(waiting.isTooLongFor('a', 1, 0)).toBe(true);
    expect(waiting.isTooLongFor('c', 1_000, 0)).toBe(false);
    expect(waiting.isTooLong(0, 1)).toBe(false);
  });

  it('is there while those of its owner wait for their turns, for a while', () => {
    const waiting = queue();
    waiting.pushAll('a', [one('a', 0)]);
    expect(waiting.isTooLongFor('a', 1, 400)).toBe(false);
    expect(waiting.isTooLongFor('a', 1, 401)).toBe(true);
  });

  it('has none where the lane is stuck', () => {
    const waiting = queue();
    waiting.push(one('s', 0));
    expect(waiting.isTooLongFor('a', 1, 100)).toBe(false);
    expect(waiting.isTooLongFor('a', 1, 101)).toBe(true);
  });
});
