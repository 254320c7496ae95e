import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { PersonalDataCodec } from './personal-data-codec.js';

/** Where a rotation of the master key left the lookup key, wrapped by the new one. */
export const LOOKUP_KEY = 'SUBJECT_LOOKUP_KEY';

/**
 * Subjects are found by a keyed hash, whose key must outlive the master key: tax numbers are not stored in clear, so
 * they cannot be hashed again. After the first rotation the key is in the database, wrapped.
 */
@Injectable()
export class LookupKey implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly codec: PersonalDataCodec,
  ) {}

  async onModuleInit(): Promise<void> {
    const [row] = await this.database.query<{ wrapped: Buffer }>({
      text: 'select fingerprint as wrapped from setting_fingerprint where name = $1',
      values: [LOOKUP_KEY],
    });
    if (row) this.codec.useLookupKey(row.wrapped);
  }
}
