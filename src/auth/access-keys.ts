import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LogTail, partitionOf, REGISTRY_PARTITION, RegistryCache } from '../event-store/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';
import { Database } from '../platform/database/index.js';
import { isAccessKeyEvent, parseAccessKey, accessKeyProjection } from './access-key.projection.js';
import type { AccessKey } from './domain/access-key.js';

/** Looks up access keys, and makes and checks their secrets. */
@Injectable()
export class AccessKeys {
  readonly #cache: RegistryCache<AccessKey>;
  readonly #pepper: Buffer;
  readonly #nobody: Buffer;

  constructor(
    private readonly database: Database,
    tail: LogTail,
    @Inject(CONFIG) config: Config,
  ) {
    this.#pepper = config.secrets.keyPepper;
    this.#nobody = this.hash(randomBytes(32).toString('base64url'));
    this.#cache = new RegistryCache(
      tail,
      (event) => (isAccessKeyEvent(event) ? event.data.id : undefined),
      (id) => this.#load(id),
    );
  }

  /** The key as it is now, changes of the last poll interval aside. @throws ServiceUnavailable */
  async find(id: string): Promise<AccessKey | undefined> {
    return partitionOf(id) === REGISTRY_PARTITION ? this.#cache.get(id) : undefined;
  }

  /** A new secret: 256 random bits, for which a keyed hash is enough. */
  newSecret(): { secret: string; hash: Buffer } {
    const secret = `sk_${randomBytes(32).toString('base64url')}`;
    return { secret, hash: this.hash(secret) };
  }

  /** HMAC-SHA-256 with `KEY_PEPPER`: what is stored of a secret. */
  hash(secret: string): Buffer {
    return createHmac('sha256', this.#pepper).update(secret).digest();
  }

  /** Whether the secret is the key's; takes as long for a key that does not exist. */
  async secretMatches(id: string, secret: string): Promise<boolean> {
    const ours = partitionOf(id) === REGISTRY_PARTITION ? id : '00000000-0000-7000-8000-000000000000';
    const [row] = await this.database.query<{ value: Buffer }>({
      name: 'access-key-secret',
      text: 'select value from secret where partition = $1 and id = $2',
      values: [REGISTRY_PARTITION, ours],
    });
    const same = timingSafeEqual(this.hash(secret), row?.value ?? this.#nobody);
    return same && row !== undefined;
  }

  async #load(id: string): Promise<AccessKey | undefined> {
    const [row] = await this.database.query(accessKeyProjection.load(REGISTRY_PARTITION, [id]));
    return row && parseAccessKey(row);
  }
}
