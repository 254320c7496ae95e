import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { QueryResultRow } from 'pg';
import type { Statement } from '../log/statement.js';
import type { Database } from '../../platform/database/index.js';
import { PersonalDataCodec } from './personal-data-codec.js';
import { SubjectVault } from './subject-vault.js';

const SUBJECT = 'c3a0b1f4-8a5e-4c07-9a53-0d5f8f1f2b11';
const codec = new PersonalDataCodec(Buffer.alloc(32, 1));
const key = codec.newSubjectKey(SUBJECT, codec.lookupOf({ clear: 'somebody' }));
const sealed = codec.seal(SUBJECT, codec.unwrap(key), 'Maria');

/** A vault over one key, and its look-ups, each of which reads the table at once and answers when it is told to. */
function heldVault() {
  const table: QueryResultRow[] = [{ subject: key.id, lookup: key.lookup, wrapped_key: key.wrapped }];
  const lookUps: (() => void)[] = [];
  const forgotten: QueryResultRow[] = [];
  const lookUp = ({ name }: Statement) => {
    const rows = [...(name === 'subject-key-by-id' ? table : forgotten)];
    return new Promise((resolve) => lookUps.push(() => resolve(rows)));
  };
  return { vault: new SubjectVault({ lookUp } as unknown as Database, codec), table, forgotten, lookUps };
}

it('keeps a key for those who ask next', async () => {
  const { vault, lookUps } = heldVault();
  const first = vault.open(1, sealed);
  lookUps.shift()!();
  expect(await first).toBe('Maria');
  expect(await vault.open(1, sealed)).toBe('Maria');
  expect(lookUps).toEqual([]);
});

it('does not keep a key whose look-up began before it was cleared', async () => {
  const { vault, table, forgotten, lookUps } = heldVault();
  const asked = vault.open(1, sealed);
  table.length = 0;
  forgotten.push({ stream: `subject-${SUBJECT}` });
  vault.clear();
  lookUps.shift()!();
  // Who asked before the key was destroyed may be told.
  expect(await asked).toBe('Maria');
  const after = vault.open(1, sealed);
  lookUps.shift()!();
  await setImmediate();
  lookUps.shift()!();
  expect(await after).toBeNull();
});

it('takes nobody for forgotten whose key is gone, and whom no event forgot', async () => {
  const { vault, table, lookUps } = heldVault();
  table.length = 0;
  const asked = vault.open(1, sealed);
  lookUps.shift()!();
  await setImmediate();
  lookUps.shift()!();
  await expect(asked).rejects.toThrow('the key is gone');
});
