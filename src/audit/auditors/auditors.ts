import { randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { StoredCredentials } from '../../auth/index.js';
import {
  type Folded,
  RegistryTail,
  partitionOf,
  PersonalDataCodec,
  REGISTRY_PARTITION,
  RegistryCache,
  StoredSecrets,
  WholeStreams,
} from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { BindAuditorCredential } from '../commands/bind-auditor-credential/bind-auditor-credential.command.js';
import { type Auditor, type AuditorEvent, evolveAuditor, isAuditorEvent } from '../domain/auditor.js';
import { auditorTable } from './auditor.projection.js';

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

/** Looks up auditors, and makes and checks their credentials. */
@Injectable()
export class Auditors {
  readonly #cache: RegistryCache<Credential>;
  readonly #credentials: StoredCredentials;
  readonly #logger = new Logger(Auditors.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly database: Database,
    private readonly secrets: StoredSecrets,
    private readonly streams: WholeStreams,
    tail: RegistryTail,
    codec: PersonalDataCodec,
    @Inject(CONFIG) config: Config,
  ) {
    this.#credentials = new StoredCredentials(config.secrets.keyPepper, codec);
    this.#cache = new RegistryCache(tail, {
      staleBy: (event) => (isAuditorEvent(event) ? event.data.id : undefined),
      logged: (id) => this.#logged(id),
      copied: (id) => this.#copied(id),
    });
  }

  /** A new credential of an auditor: 256 random bits, for which a keyed hash is enough. */
  newCredential(id: string): { token: string; stored: Buffer } {
    const secret = randomBytes(32).toString('base64url');
    return { token: `aud_${id}_${secret}`, stored: this.storedSecret(id, secret) };
  }

  /** What is stored of a credential's secret. */
  storedSecret(id: string, secret: string): Buffer {
    return this.#credentials.bound('auditor', id, secret);
  }

  /** The auditor of an active credential. @throws ServiceUnavailable */
  async authenticate(token: string): Promise<Auditor | undefined> {
    const [, id, secret] = TOKEN.exec(token) ?? [];
    const known = id && partitionOf(id) === REGISTRY_PARTITION ? await this.#cache.get(id) : undefined;
    const form = this.#credentials.formOf(known?.stored, 'auditor', id ?? '', secret ?? '');
    if (!form || known?.auditor.status !== 'Active') return undefined;
    const { auditor } = known;
    if (form === 'bound') return auditor;
    // The hash was read with the auditor, or later: after an event has bound it, an unbound one is not ours.
    if (auditor.bound) return undefined;
    await this.#bind(auditor.id, secret!);
    return auditor;
  }

  /** The auditor with that id, unless revoked. @throws ServiceUnavailable */
  async active(id: string): Promise<Auditor | undefined> {
    const known = partitionOf(id) === REGISTRY_PARTITION ? await this.#cache.get(id) : undefined;
    return known?.auditor.status === 'Active' ? known.auditor : undefined;
  }

  /** Binds the stored hash of an older credential to its auditor. If that fails, the next request retries. */
  async #bind(id: string, secret: string): Promise<void> {
    try {
      await this.commands.execute(new BindAuditorCredential(id, secret));
    } catch (error) {
      this.#logger.warn({ err: error, auditor: id }, "an auditor's stored hash could not be bound to it");
    }
  }

  async #logged(id: string): Promise<Folded<Credential> | undefined> {
    const found = await this.streams.foldUpTo<Auditor>(REGISTRY_PARTITION, { what: 'auditor', id }, (before, event) =>
      evolveAuditor(before, event as AuditorEvent),
    );
    const stored = found && (await this.secrets.find(REGISTRY_PARTITION, [id])).get(id);
    return stored && { state: { auditor: found.state, stored }, upTo: found.upTo };
  }

  async #copied(id: string): Promise<Credential | undefined> {
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
