import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  type Folded,
  RegistryTail,
  partitionOf,
  PersonalDataCodec,
  REGISTRY_PARTITION,
  RegistryCache,
  StoredSecrets,
  WholeStreams,
} from '../event-store/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';
import { Database } from '../platform/database/index.js';
import { accessKeyTable, accessKeyProjection } from './access-key.projection.js';
import { type AccessKey, type AccessKeyEvent, evolveAccessKey, isAccessKeyEvent } from './domain/access-key.js';
import { StoredCredentials } from './stored-credential.js';

/** Looks up access keys, and makes and checks their secrets. */
@Injectable()
export class AccessKeys {
  readonly #cache: RegistryCache<AccessKey>;
  readonly #credentials: StoredCredentials;

  constructor(
    private readonly database: Database,
    private readonly secrets: StoredSecrets,
    private readonly streams: WholeStreams,
    tail: RegistryTail,
    codec: PersonalDataCodec,
    @Inject(CONFIG) config: Config,
  ) {
    this.#credentials = new StoredCredentials(config.secrets.keyPepper, codec);
    this.#cache = new RegistryCache(tail, {
      staleBy: (event) => (isAccessKeyEvent(event) ? event.data.id : undefined),
      logged: (id) => this.#logged(id),
      copied: (id) => this.#copied(id),
    });
  }

  /** The key, with changes of the last poll interval possibly missing. @throws ServiceUnavailable */
  async find(id: string): Promise<AccessKey | undefined> {
    return partitionOf(id) === REGISTRY_PARTITION ? this.#cache.get(id) : undefined;
  }

  /** A new secret of a key: 256 random bits, for which a keyed hash is enough. */
  newSecret(id: string): { secret: string; stored: Buffer } {
    const secret = `sk_${randomBytes(32).toString('base64url')}`;
    return { secret, stored: this.storedSecret(id, secret) };
  }

  /** What is stored of a key's secret. */
  storedSecret(id: string, secret: string): Buffer {
    return this.#credentials.bound('access-key', id, secret);
  }

  /**
   * The key, if the secret is its own. A wrong secret costs one statement, whether the key exists or not.
   * @throws ServiceUnavailable
   */
  async authenticate(id: string, secret: string): Promise<AccessKey | undefined> {
    // Another login may bind the stored hash between the two reads: then both are repeated.
    for (let read = 1; read <= 2; read++) {
      const form = await this.#formOf(id, secret);
      const key = form && (await this.find(id));
      if (!key) return undefined;
      // After an event has bound the hash, one of the older form is not ours.
      if (form === 'bound' || !key.bound) return key;
    }
    return undefined;
  }

  /** How the stored hash matches the secret; takes as long for a key that does not exist. */
  async #formOf(id: string, secret: string): Promise<'bound' | 'unbound' | undefined> {
    const ours = partitionOf(id) === REGISTRY_PARTITION ? id : '00000000-0000-7000-8000-000000000000';
    const stored = await this.secrets.find(REGISTRY_PARTITION, [ours]);
    return this.#credentials.formOf(stored.get(ours), 'access-key', ours, secret);
  }

  #logged(id: string): Promise<Folded<AccessKey> | undefined> {
    return this.streams.foldUpTo<AccessKey>(REGISTRY_PARTITION, { what: 'access-key', id }, (key, event) =>
      evolveAccessKey(key, event as AccessKeyEvent),
    );
  }

  async #copied(id: string): Promise<AccessKey | undefined> {
    const [row] = await this.database.query(accessKeyProjection.load(REGISTRY_PARTITION, [id]));
    return row && accessKeyTable.parse(row);
  }
}
