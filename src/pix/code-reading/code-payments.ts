import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { IdempotencyKey, Outcome } from '../../event-store/index.js';
import type { ByCode, Payment } from '../commands/requested-cash-out.js';
import { CodeRefused } from '../domain/code-refused.js';
import { CashOutNotAvailable } from '../domain/errors.js';
import { PIX_RAIL, type PixRail } from '../rails/pix-rail.js';
import { agreedPayment } from './code-payment.js';
import { CodeReader } from './code-reader.js';

/** The outcome of the payment's idempotency key, or else that of `work`. */
type UnlessDone = <T>(work: () => Promise<T | Outcome>) => Promise<T | Outcome>;

/** What a code pays. @throws CashOutNotAvailable, CodeRefused */
export type ReadCode = (
  partnerUid: string,
  payment: ByCode,
  key: IdempotencyKey | undefined,
  unlessDone: UnlessDone,
) => Promise<Payment | Outcome>;

interface Reading {
  readonly payment: Promise<Payment>;
  /** Milliseconds of the monotonic clock. */
  readonly begunAt: number;
  commands: number;
}

/** Who repeats a request without pause would pay by what a bank said long ago. */
const SHARED_MS = 60_000;

/** What codes pay, by the rail of this process. */
@Injectable()
export class CodePayments {
  /** Of the commands under way. */
  readonly #readings = new Map<string, Reading>();

  constructor(
    private readonly codes: CodeReader,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  /**
   * Gives a command what reads its codes. Commands under one key share a reading until the last of them has ended: a
   * bank that refuses the second one would have it answered with a refusal, while the first still pays. Later ones, and
   * dry runs, read the code again, which may have been taken back. One that fails may be reading other codes still:
   * what those begin from then on is shared with nobody.
   * @param isDryRun its key is not taken
   */
  async during<T>(isDryRun: boolean, command: (read: ReadCode) => Promise<T>): Promise<T> {
    const shared: string[] = [];
    let hasEnded = false;
    try {
      return await command((partnerUid, payment, key, unlessDone) =>
        this.#read(unlessDone, () => {
          const read = () => this.#agreed(partnerUid, payment);
          return isDryRun || !key || hasEnded ? read() : this.#shared(idOf(key), shared, read);
        }),
      );
    } finally {
      hasEnded = true;
      for (const id of shared) this.#leave(id);
    }
  }

  /**
   * A repetition gets its first outcome without reading the code again, whatever its state is now.
   * @throws CashOutNotAvailable, CodeRefused
   */
  async #read(unlessDone: UnlessDone, read: () => Promise<Payment>): Promise<Payment | Outcome> {
    return unlessDone<Payment>(async () => {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof CodeRefused)) throw error;
        // Another request under the same key may have been accepted meanwhile.
        return unlessDone<never>(() => Promise.reject(error));
      }
    });
  }

  #shared(id: string, shared: string[], read: () => Promise<Payment>): Promise<Payment> {
    const known = this.#readings.get(id);
    if (known && performance.now() - known.begunAt > SHARED_MS) return read();
    const reading = known ?? { payment: read(), begunAt: performance.now(), commands: 0 };
    reading.commands += 1;
    this.#readings.set(id, reading);
    shared.push(id);
    return reading.payment;
  }

  #leave(id: string): void {
    const reading = this.#readings.get(id)!;
    reading.commands -= 1;
    if (reading.commands === 0) this.#readings.delete(id);
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

const idOf = ({ scope, key, request }: IdempotencyKey) =>
  hash('sha256', JSON.stringify([scope, key, request]), 'base64');
