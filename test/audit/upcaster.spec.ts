import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { defineEvent } from '../../src/event-store/log/event.js';
import { toRecorded } from '../../src/event-store/log/event-log.js';
import { hashEvent } from '../../src/event-store/log/leaf.js';

/** Version 1 had one amount in reais; version 2 names the centavos; version 3 says in which currency. */
const FeeAgreed = defineEvent<{ centavos: string; currency: string }>()('FeeAgreedForTest', 'Only in this test.', {
  schemaVersion: 3,
  upcasters: {
    1: ({ amount }: { amount: string }) => ({ centavos: amount.replace('.', '') }),
    2: (data: { centavos: string }) => ({ ...data, currency: 'BRL' }),
  },
});

const stored = JSON.parse(readFileSync('test/vectors/old-event.json', 'utf8'));
const row = { ...stored, position: BigInt(stored.position), time: new Date(stored.time) };

describe('an event of an earlier schema version', () => {
  it('replays through its upcasters, and keeps the hash of what was written', () => {
    const event = toRecorded(row);
    expect(FeeAgreed.is(event) && event.data).toEqual({ centavos: '1050', currency: 'BRL' });
    expect(hashEvent(row).toString('hex')).toBe(stored.leaf);
  });

  it('of a later version than this service knows is refused, not guessed at', () => {
    expect(() => toRecorded({ ...row, schemaVersion: 4 })).toThrow('schema version 4');
  });

  it('cannot be declared without an upcaster from every older version', () => {
    expect(() => defineEvent<object>()('GapForTest', '', { schemaVersion: 2 })).toThrow('no upcaster');
  });
});
