import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Database, DatabaseUnavailable } from '../../platform/database/index.js';
import { WrongKey } from './fingerprints.js';
import { PersonalDataCodec } from './personal-data-codec.js';

/** Where a rotation of the master key left the lookup key, wrapped by the new one. */
export const LOOKUP_KEY = 'SUBJECT_LOOKUP_KEY';

const DAMAGED = 'its row in setting_fingerprint was not wrapped by this MASTER_KEY. Restore it from a backup.';
const GONE =
  'the key by which subjects are looked up is gone from setting_fingerprint, where a rotation of MASTER_KEY put it. ' +
  'Restore its row from a backup.';

/**
 * Subjects are found by a keyed hash, whose key must outlive the master key: tax numbers are not stored in clear, so
 * they cannot be hashed again. After the first rotation the key is in the database, wrapped.
 */
@Injectable()
export class LookupKey implements OnModuleInit {
  readonly #logger = new Logger(LookupKey.name);
  #isProven: () => Promise<boolean> = () => Promise.resolve(true);

  constructor(
    private readonly database: Database,
    private readonly codec: PersonalDataCodec,
  ) {}

  /** @param isProven asked where no key is kept: whether that of the master key, right until a rotation, is */
  provenBy(isProven: () => Promise<boolean>): void {
    this.#isProven = isProven;
  }

  /** @throws WrongKey: with another key every known person would become a new subject */
  async onModuleInit(): Promise<void> {
    const [row] = await this.database.query<{ wrapped: Buffer }>({
      text: 'select fingerprint as wrapped from setting_fingerprint where name = $1',
      values: [LOOKUP_KEY],
    });
    if (row) this.#use(row.wrapped);
    else if (!(await this.#isProvenNow())) throw new WrongKey(LOOKUP_KEY, GONE);
  }

  /** Of a cluster the start does not wait for the registry's node while it is unreachable: the next one asks again. */
  async #isProvenNow(): Promise<boolean> {
    try {
      return await this.#isProven();
    } catch (error) {
      if (!this.database.isSpread || !(error instanceof DatabaseUnavailable)) throw error;
      this.#logger.warn({ err: error }, 'the key of look-ups could not be proven: the registry is away');
      return true;
    }
  }

  #use(wrapped: Buffer): void {
    try {
      this.codec.useLookupKey(wrapped);
    } catch {
      throw new WrongKey(LOOKUP_KEY, DAMAGED);
    }
  }
}
