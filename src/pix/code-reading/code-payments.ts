import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { IdempotencyKey, Outcome } from '../../event-store/index.js';
import type { ByCode, Payment } from '../commands/requested-cash-out.js';
import { CodeRefused } from '../domain/code-refused.js';
import { CashOutNotAvailable } from '../domain/errors.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import { agreedPayment } from './code-payment.js';
import { CodeReader } from './code-reader.js';

/** The outcome of the payment's idempotency key, or else that of `work`. */
type UnlessDone = <T>(work: () => Promise<T | Outcome>) => Promise<T | Outcome>;

/** From its begin to its command's commit a reading is shared: milliseconds, and how many at most. */
const SHARED = { ttl: 60_000, max: 10_000 };

/** What codes pay, by the rail of this process. */
@Injectable()
export class CodePayments {
  readonly #readings = new LRUCache<string, Promise<Payment>>(SHARED);

  constructor(
    private readonly codes: CodeReader,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  /**
   * What a code pays. A repetition gets its first outcome without reading the code again, whatever its state is now.
   * @throws CashOutNotAvailable, CodeRefused
   */
  async read(
    partnerUid: string,
    payment: ByCode,
    key: IdempotencyKey | undefined,
    unlessDone: UnlessDone,
  ): Promise<Payment | Outcome> {
    return unlessDone<Payment>(async () => {
      try {
        return await this.#shared(key, () => this.#agreed(partnerUid, payment));
      } catch (error) {
        if (!(error instanceof CodeRefused)) throw error;
        // Another request under the same key may have been accepted meanwhile.
        return unlessDone<never>(() => Promise.reject(error));
      }
    });
  }

  /**
   * Requests under one key share a reading: a bank that refuses the second one would have it answered with a refusal,
   * while the first still pays.
   */
  async #shared(key: IdempotencyKey | undefined, read: () => Promise<Payment>): Promise<Payment> {
    if (!key) return read();
    const id = hash('sha256', JSON.stringify([key.scope, key.key, key.request]), 'base64');
    const known = this.#readings.get(id);
    if (known) return known;
    const reading = read();
    this.#readings.set(id, reading);
    reading.catch(() => this.#readings.delete(id));
    return reading;
  }

  /** What the rail cannot do is refused before the code is read. @throws CashOutNotAvailable, CodeRefused */
  async #agreed(partnerUid: string, { qrCode, code, requested }: ByCode): Promise<Payment> {
    const { sends, namesPayments } = this.rail.capabilities;
    if (!sends) throw new CashOutNotAvailable();
    if (code.kind === 'Dynamic' && namesPayments?.paysCharges === false)
      throw new CodeRefused('QrCodeKindNotSupported');
    const charge = await this.codes.read(partnerUid, code);
    const { amount, key, name, taxNumber, codeIsEnough } = agreedPayment(code, charge, requested);
    const recipient = { name, taxNumber, key };
    if (codeIsEnough || !namesPayments) return { amount, recipient, qrCode };
    // Paid to its key instead, a code loses its txid: the receiver could not match the payment.
    if (code.kind !== 'Static' || code.txid !== undefined) throw new CodeRefused('QrCodeKindNotSupported');
    return { amount, recipient };
  }
}
