import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Registry } from '../../accounts/index.js';
import { Ledger, LogTail, newId, partitionOf, REGISTRY_PARTITION, RegistryCache } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { EntityNotFound } from '../../platform/errors/index.js';
import { AuditorRegistered, AuditorRevoked } from './auditor.events.js';
import { type Auditor, auditorProjection, isAuditorEvent, parseAuditor } from './auditor.projection.js';

interface Credential {
  readonly auditor: Auditor;
  readonly hash: Buffer;
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
  readonly #pepper: Buffer;

  constructor(
    private readonly ledger: Ledger,
    private readonly database: Database,
    private readonly registry: Registry,
    tail: LogTail,
    @Inject(CONFIG) config: Config,
  ) {
    this.#pepper = config.secrets.keyPepper;
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
    await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: {},
      creates: { auditors: [id] },
      decide: () => [AuditorRegistered.create(`auditor-${id}`, 1, { id, name, partnerUid })],
      metadata: { actor, requestId },
      secrets: [{ id, value: this.#hash(secret) }],
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
    return rows.map(parseAuditor);
  }

  /** The auditor whose credential this is, if it is in use. @throws ServiceUnavailable */
  async authenticate(token: string): Promise<Auditor | undefined> {
    const [, id, secret] = TOKEN.exec(token) ?? [];
    const known = id && partitionOf(id) === REGISTRY_PARTITION ? await this.#cache.get(id) : undefined;
    const isTheirs = timingSafeEqual(this.#hash(secret ?? ''), known?.hash ?? this.#hash(''));
    return isTheirs && secret !== undefined && known?.auditor.status === 'Active' ? known.auditor : undefined;
  }

  /** The auditor of that id, unless revoked. @throws ServiceUnavailable */
  async inUse(id: string): Promise<Auditor | undefined> {
    const known = partitionOf(id) === REGISTRY_PARTITION ? await this.#cache.get(id) : undefined;
    return known?.auditor.status === 'Active' ? known.auditor : undefined;
  }

  #hash(secret: string): Buffer {
    return createHmac('sha256', this.#pepper).update(`auditor|${secret}`).digest();
  }

  async #load(id: string): Promise<Credential | undefined> {
    const [row] = await this.database.query({
      name: 'auditor-credential',
      text: `
        select a.id, a.name, a.partner_uid, a.status, a.registered_at, a.version, s.value
        from auditor a
        join secret s on s.partition = a.partition and s.id = a.id
        where a.partition = $1 and a.id = $2`,
      values: [REGISTRY_PARTITION, id],
    });
    return row && { auditor: parseAuditor(row), hash: row.value as Buffer };
  }
}
