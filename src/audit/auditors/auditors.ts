import { randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Registry } from '../../accounts/index.js';
import {
  Ledger,
  LogTail,
  newId,
  partitionOf,
  PersonalDataCodec,
  REGISTRY_PARTITION,
  RegistryCache,
} from '../../event-store/index.js';
import { StoredCredentials } from '../../auth/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { EntityNotFound } from '../../platform/errors/index.js';
import { AuditorCredentialBound, AuditorRegistered, AuditorRevoked } from '../domain/auditor.events.js';
import { type Auditor, auditorProjection, isAuditorEvent, auditorTable } from './auditor.projection.js';

interface Credential {
  readonly auditor: Auditor;
  /** As it is stored. */
  readonly stored: Buffer;
}

const TOKEN = /^aud_([0-9a-f-]{36})_([A-Za-z0-9_-]{43})$/;

/** The id of the auditor whose credential a token claims to be, if it has the form of one. */
export function claimedAuditor(token: string): string | undefined {
  return TOKEN.exec(token)?.[1];
}

/** Registers and revokes auditors, and knows them by their credential. */
@Injectable()
export class Auditors {
  readonly #cache: RegistryCache<Credential>;
  readonly #credentials: StoredCredentials;
  readonly #logger = new Logger(Auditors.name);

  constructor(
    private readonly ledger: Ledger,
    private readonly database: Database,
    private readonly registry: Registry,
    tail: LogTail,
    codec: PersonalDataCodec,
    @Inject(CONFIG) config: Config,
  ) {
    this.#credentials = new StoredCredentials(config.secrets.keyPepper, codec);
    this.#cache = new RegistryCache(
      tail,
      (event) => (isAuditorEvent(event) ? event.data.id : undefined),
      (id) => this.#load(id),
    );
  }

  /** @returns the credential, shown this once. @throws EntityNotFound for a partner that does not exist */
  async register(name: string, partnerUid: string | null, actor: string, requestId: string) {
    if (partnerUid !== null) await this.registry.partner(partnerUid);
    const id = newId(REGISTRY_PARTITION);
    const secret = randomBytes(32).toString('base64url');
    const stored = this.#credentials.bound('auditor', id, secret);
    await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: {},
      creates: { auditors: [id] },
      decide: () => [AuditorRegistered.create(`auditor-${id}`, 1, { id, name, partnerUid, bound: true })],
      metadata: { actor, requestId },
      secrets: [{ id, value: stored }],
    });
    return { id, name, partnerUid, token: `aud_${id}_${secret}` };
  }

  /** Takes effect on every instance within a second. @throws EntityNotFound */
  async revoke(id: string, actor: string, requestId: string): Promise<void> {
    if (partitionOf(id) !== REGISTRY_PARTITION) throw new EntityNotFound('AuditorEntity', 'id', id);
    await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: { auditors: [id] },
      decide: (rows) => {
        const auditor = rows.of(auditorProjection).get(id);
        if (!auditor) throw new EntityNotFound('AuditorEntity', 'id', id);
        if (auditor.status === 'Revoked') return [];
        return [AuditorRevoked.create(`auditor-${id}`, auditor.version + 1, { id })];
      },
      metadata: { actor, requestId },
    });
  }

  async list(): Promise<Auditor[]> {
    const rows = await this.database.query(auditorProjection.scan(REGISTRY_PARTITION, null, 1_000));
    return rows.map(auditorTable.parse);
  }

  /** The auditor whose credential this is, if it is in use. @throws ServiceUnavailable */
  async authenticate(token: string): Promise<Auditor | undefined> {
    const [, id, secret] = TOKEN.exec(token) ?? [];
    const known = id && partitionOf(id) === REGISTRY_PARTITION ? await this.#cache.get(id) : undefined;
    const form = this.#credentials.formOf(known?.stored, 'auditor', id ?? '', secret ?? '');
    if (!form || known?.auditor.status !== 'Active') return undefined;
    const { auditor } = known;
    if (form === 'bound') return auditor;
    // Row and auditor were read by one statement: once an event has bound the hash, somebody else put this one there.
    if (auditor.bound) return undefined;
    await this.#bind(auditor.id, secret!);
    return auditor;
  }

  /** The auditor of that id, unless revoked. @throws ServiceUnavailable */
  async inUse(id: string): Promise<Auditor | undefined> {
    const known = partitionOf(id) === REGISTRY_PARTITION ? await this.#cache.get(id) : undefined;
    return known?.auditor.status === 'Active' ? known.auditor : undefined;
  }

  /** Makes a stored hash of the form that fits any auditor this one's alone. Without it the next request tries again. */
  async #bind(id: string, secret: string): Promise<void> {
    const stored = this.#credentials.bound('auditor', id, secret);
    try {
      await this.ledger.execute({
        partition: REGISTRY_PARTITION,
        reads: { auditors: [id] },
        decide: (rows) => {
          const auditor = rows.of(auditorProjection).get(id);
          if (!auditor || auditor.bound) return [];
          return [AuditorCredentialBound.create(`auditor-${id}`, auditor.version + 1, { id })];
        },
        metadata: { actor: `auditor:${id}` },
        secrets: [{ id, value: stored }],
      });
    } catch (error) {
      this.#logger.warn({ err: error, auditor: id }, "an auditor's stored hash could not be bound to it");
    }
  }

  async #load(id: string): Promise<Credential | undefined> {
    const [row] = await this.database.query({
      name: 'auditor-credential',
      text: `
        select a.id, a.name, a.partner_uid, a.status, a.registered_at, a.version, a.bound, s.value
        from auditor a
        join registry_secret s on s.partition = a.partition and s.id = a.id
        where a.partition = $1 and a.id = $2`,
      values: [REGISTRY_PARTITION, id],
    });
    return row && { auditor: auditorTable.parse(row), stored: row.value as Buffer };
  }
}
