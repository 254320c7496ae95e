import { Inject, Injectable, Logger } from '@nestjs/common';
import { EventLog, PersonalDataCodec, type Sealed, StoredSecrets, SubjectVault } from '../../event-store/index.js';
import { ReceiptAddresses } from '../../pix/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { sqlState } from '../../platform/database/index.js';
import { ServiceUnavailable } from '../../platform/errors/index.js';
import type { DueDelivery } from '../deliveries/delivery-work.js';
import type { BodyMaterial, NewDelivery, PartySource } from '../domain/delivery.js';
import { webhookBody } from '../domain/webhook-body.js';
import { LoggedDeliveries } from './logged-deliveries.js';

/** The request of an attempt, without the signature. */
export interface Message {
  readonly body: string;
  readonly customHeader: Readonly<Record<string, string>>;
}

interface Waiting {
  readonly delivery: DueDelivery;
  readonly resolve: (message: Message | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Takes deliveries from their events, then decrypts their sealed and secret parts. Those claimed together are prepared
 * together: one query for the events of all, two for keys and secrets, none for what is cached. If that fails each is
 * prepared alone, so that only the damaged one fails.
 */
@Injectable()
export class Materials {
  readonly #logger = new Logger(Materials.name);
  readonly #receipts: ReceiptAddresses;
  readonly #waiting = new Map<number, Waiting[]>();

  constructor(
    private readonly vault: SubjectVault,
    private readonly codec: PersonalDataCodec,
    private readonly logged: LoggedDeliveries,
    private readonly secrets: StoredSecrets,
    private readonly log: EventLog,
    @Inject(CONFIG) config: Config,
  ) {
    this.#receipts = new ReceiptAddresses(config);
  }

  /**
   * @returns `undefined` where the log does not explain the delivery, or it cannot be decrypted: damaged, or sealed
   *   under another master key
   * @throws ServiceUnavailable, and errors of the database
   */
  open(delivery: DueDelivery): Promise<Message | undefined> {
    return new Promise((resolve, reject) => {
      let waiting = this.#waiting.get(delivery.partition);
      if (!waiting) {
        waiting = [];
        this.#waiting.set(delivery.partition, waiting);
        setImmediate(() => void this.#openAll(delivery.partition));
      }
      waiting.push({ delivery, resolve, reject });
    });
  }

  /** `traceparent` of a delivery's event. Read only when tracing is on. */
  traceOf({ partition, position }: DueDelivery): Promise<string | undefined> {
    return this.log.traceAt(partition, position);
  }

  async #openAll(partition: number): Promise<void> {
    const waiting = this.#waiting.get(partition)!;
    this.#waiting.delete(partition);
    await this.#settle(partition, waiting);
  }

  async #settle(partition: number, waiting: readonly Waiting[]): Promise<void> {
    try {
      const messages = await this.#messages(
        partition,
        waiting.map(({ delivery }) => delivery),
      );
      for (const [i, message] of messages.entries()) {
        if (message instanceof Error) this.#refuse(waiting[i]!, message);
        else waiting[i]!.resolve(message);
      }
    } catch (error) {
      if (error instanceof ServiceUnavailable || sqlState(error) !== undefined) {
        waiting.forEach(({ reject }) => reject(error));
      } else if (waiting.length > 1) {
        for (const one of waiting) await this.#settle(partition, [one]);
      } else {
        waiting.forEach((one) => this.#refuse(one, error));
      }
    }
  }

  #refuse({ delivery: { id, chain }, resolve }: Waiting, error: unknown): void {
    this.#logger.error({ err: error, delivery: id, transaction: chain }, 'webhook cannot be prepared');
    resolve(undefined);
  }

  /** An error in place of a message whose delivery the log does not explain. @throws where anything cannot be opened */
  async #messages(partition: number, deliveries: readonly DueDelivery[]): Promise<(Message | Error)[]> {
    const logged = await this.logged.find(partition, deliveries);
    const explained = logged.flatMap((one) => (one instanceof Error ? [] : one));
    const [opened, secrets] = await Promise.all([
      this.#openSealed(partition, explained),
      this.#openSecrets(partition, explained),
    ]);
    return logged.map((one) => (one instanceof Error ? one : this.#messageOf(one, opened, secrets)));
  }

  #messageOf(
    { material, header }: NewDelivery,
    opened: ReadonlyMap<Sealed, unknown>,
    secrets: ReadonlyMap<string, string>,
  ): Message {
    return {
      body: 'notification' in material ? JSON.stringify(material.notification) : this.#bodyOf(material, opened),
      customHeader: header ? { [header.name]: valueOf(header, secrets) } : {},
    };
  }

  #bodyOf(material: BodyMaterial, opened: ReadonlyMap<Sealed, unknown>): string {
    const party = material.party && (opened.get(material.party) as PartySource | null);
    const description = material.description && (opened.get(material.description) as string | null);
    return webhookBody(material, { party, description, receipt: this.#receiptOf(material) });
  }

  #receiptOf({ fields: { id, receiptToken } }: BodyMaterial): string | null {
    return receiptToken ? this.#receipts.of(id, receiptToken) : null;
  }

  async #openSealed(partition: number, deliveries: readonly NewDelivery[]): Promise<Map<Sealed, unknown>> {
    const sealed = deliveries.flatMap(({ material }) =>
      'notification' in material
        ? []
        : [material.party, material.description].filter((one): one is Sealed<never> => one !== null),
    );
    const values = await this.vault.openEach<unknown>(partition, sealed);
    return new Map(sealed.map((one, i) => [one, values[i]]));
  }

  async #openSecrets(partition: number, deliveries: readonly NewDelivery[]): Promise<Map<string, string>> {
    const ids = [...new Set(deliveries.flatMap(({ header }) => header?.secretId ?? []))];
    if (ids.length === 0) return new Map();
    const stored = await this.secrets.findInBackground(partition, ids);
    return new Map([...stored].map(([id, value]) => [id, this.codec.openSecret(id, value)]));
  }
}

/** @throws where its row is missing: a receiver would take a message without it for a stranger's */
function valueOf({ secretId }: NonNullable<NewDelivery['header']>, secrets: ReadonlyMap<string, string>): string {
  const value = secrets.get(secretId);
  if (value === undefined) throw new Error(`the secret ${secretId} is missing`);
  return value;
}
