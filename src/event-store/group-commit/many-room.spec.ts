import { describe, expect, it } from '@jest/globals';
import { ManyRoom } from './many-room.js';

/** Writes 60 batches of singles and as many others as there is room for. Each takes `own`, and `each` for a command. */
function settle(room: ManyRoom, own: number, each: number): number {
  for (let now = 0; now < 60; now++) {
    room.singleCame(now);
    room.wrote(now, own + 8 * each, 8, 0);
    const many = room.at(now);
    room.wrote(now, own + (8 + many) * each, 8 + many, many);
  }
  return room.at(60);
}

describe('the room of requests of many', () => {
  it('is more than a batch where nobody waits for a single command', () => {
    const room = new ManyRoom(256);
    room.wrote(0, 500, 256, 256);
    expect(room.at(1)).toBe(640);
  });

  it('keeps batches short while single commands come', () => {
    const many = settle(new ManyRoom(256), 1, 0.15);
    expect(1 + (8 + many) * 0.15).toBeLessThan(10);
    expect(1 + (8 + many) * 0.15).toBeGreaterThan(4);
  });

  it('is not made smaller by a commit that takes long whatever is in it', () => {
    expect(settle(new ManyRoom(256), 50, 0.01)).toBe(256);
  });

  it('grows again, and is more than a batch a second after the last single command', () => {
    const room = new ManyRoom(256);
    const slow = settle(room, 1, 1);
    expect(slow).toBeLessThan(20);
    expect(settle(room, 1, 0.02)).toBe(256);
    settle(room, 1, 1);
    expect(room.at(60 + 1_000)).toBe(640);
  });
});
