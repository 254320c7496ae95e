import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Database, DatabaseUnavailable } from '../../platform/database/index.js';
import { WrongKey } from './fingerprints.js';
import { LookupKey } from './lookup-key.js';
import type { PersonalDataCodec } from './personal-data-codec.js';

/** At a start that finds no key in the database. */
function started(isSpread: boolean, isProven: () => Promise<boolean>): Promise<void> {
  const database = { isSpread, query: async () => [] } as unknown as Database;
  const key = new LookupKey(database, {} as PersonalDataCodec);
  key.provenBy(isProven);
  return key.onModuleInit();
}

describe('the key of look-ups', () => {
  it('must be proven where none is kept', async () => {
    await started(true, async () => true);
    await expect(started(true, async () => false)).rejects.toBeInstanceOf(WrongKey);
  });

  it("is taken, and this told, while the registry's node of a cluster is away; other faults end the start", async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const away = () => Promise.reject(new DatabaseUnavailable(new Error('connection refused')));
    await started(true, away);
    expect(warn).toHaveBeenCalledTimes(1);
    await expect(started(false, away)).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(started(true, () => Promise.reject(new TypeError('x')))).rejects.toBeInstanceOf(TypeError);
    warn.mockRestore();
  });
});
