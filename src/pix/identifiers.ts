import { hash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DuplicateRow, type IdempotencyKey, markOf, PersonalDataCodec, randomPart } from '../event-store/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';
import type { SentOver } from './domain/events/shared.js';
import { type EndToEndIdParts, makeEndToEndId, parseEndToEndId } from './domain/values/end-to-end-id.js';
import { PIX_RAIL, type PixRail } from './rails/pix-rail.js';
import { sentOver } from './rails/rail-name.js';
import type { LocatedTransaction } from './transactions/pix-transactions.js';

/** What is stored of a refund or return before the rail is asked for it. */
export interface NewReturn {
  readonly returnId: string;
  readonly sentOver: SentOver;
}

/** Of a refund that is asked for. */
interface RequestedReturn {
  /** Centavos; `undefined`: the rest. */
  readonly amount: bigint | undefined;
  readonly idempotency: IdempotencyKey | undefined;
}

/** What an identifier is made of beside its partition. */
type Source = Pick<EndToEndIdParts, 'at' | 'random'>;

/**
 * Runs a command with a new identifier, and once more with another if a transaction has it already: the rail would
 * treat the second payment under it as the first.
 */
export async function withFresh<I, T>(mint: () => I, run: (identified: I) => Promise<T>): Promise<T> {
  try {
    return await run(mint());
  } catch (error) {
    if (error instanceof DuplicateRow) return run(mint());
    throw error;
  }
}

/** Mints identifiers, before a command is decided. */
@Injectable()
export class PixIdentifiers {
  readonly #ispb: string;

  constructor(
    @Inject(CONFIG) { institution }: Config,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
    private readonly codec: PersonalDataCodec,
  ) {
    this.#ispb = institution.ispb;
  }

  /** `E…`, of a payment of ours. */
  endToEndId(partition: number): string {
    return this.#make('E', partition);
  }

  /** Of a refund or return of ours: its identifier (`D…`), and the rail that is to make it. */
  newReturn(partition: number, source?: Source): NewReturn {
    return { returnId: this.#make('D', partition, source), sentOver: sentOver(this.rail) };
  }

  /** Of a payment that does not fit, which is returned once: a ledger that has lost the return names it alike. */
  returnOfMisfit(partition: number, endToEndId: string): NewReturn {
    return this.newReturn(partition, sourceOf(endToEndId, endToEndId));
  }

  /**
   * Of a deposit. It follows from a request that has a key and names its amount: a ledger that has lost the refund
   * names its repetition alike, and the rail makes it once (docs/adr/0042). The whole rest may be another amount by
   * then.
   */
  returnAsked(deposit: LocatedTransaction, { amount, idempotency }: RequestedReturn): NewReturn {
    const { partition, transaction } = deposit;
    const isNamed = idempotency && amount !== undefined && transaction.endToEndId !== null;
    const source = isNamed && sourceOf(transaction.endToEndId, markOf(idempotency, this.codec).request);
    return this.newReturn(partition, source || undefined);
  }

  /** 128 random bits, for the address of a receipt. */
  receiptToken(): string {
    return randomBytes(16).toString('base64url');
  }

  #make(prefix: 'E' | 'D', partition: number, source: Source = { at: new Date(), random: randomPart(8) }): string {
    return makeEndToEndId({ prefix, ispb: this.#ispb, partition, ...source });
  }
}

/** The minute of the payment that is given back, and a hash. */
function sourceOf(endToEndId: string, text: string): Source | undefined {
  const paid = parseEndToEndId(endToEndId);
  return paid && { at: paid.at, random: hash('sha256', text, 'buffer') };
}
