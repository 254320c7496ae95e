import { Inject, Injectable } from '@nestjs/common';
import type { Attempt } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import type {
  Charge,
  ChargeClosing,
  ChargeCode,
  KeyLookup,
  PaymentOutcome,
  PixRail,
  RailCapabilities,
  RailMovement,
  RailPage,
  Received,
  RefundInstruction,
  RefundOutcome,
} from '../pix-rail.js';
import { RailUnavailable } from '../rail-errors.js';
import { Cobs } from './cobs.js';
import { Devolucoes } from './devolucoes.js';
import { CHARGES_AT_ONCE } from './mutual-tls.js';
import { ReceivedList } from './received-list.js';

/**
 * A PSP behind the BCB's standard "API Pix" (2.9): charges, payments received, refunds. The standard has no payouts and
 * no DICT; the adapter of a PSP adds them.
 */
@Injectable()
export class BcbRail implements PixRail {
  readonly name = 'bcb';
  readonly psp: string;
  readonly capabilities: RailCapabilities;

  constructor(
    private readonly cobs: Cobs,
    private readonly devolucoes: Devolucoes,
    private readonly received: ReceivedList,
    @Inject(CONFIG) { bcb }: Config,
  ) {
    this.psp = bcb!.psp;
    this.capabilities = {
      sends: false,
      chargesAtOnce: CHARGES_AT_ONCE,
      identifiesPayer: bcb!.identifiesPayer ? 'ByTaxNumber' : 'No',
      lookUpLagMs: bcb!.lookUpLagMs,
    };
  }

  /**
   * Reached only by a cash-out that was accepted for another rail: it stays open until that rail is configured again.
   */
  async lookUpKey(): Promise<KeyLookup> {
    throw new RailUnavailable('the API Pix has no DICT');
  }

  /** As `lookUpKey`. */
  async send(): Promise<PaymentOutcome> {
    throw new RailUnavailable('the API Pix has no sending');
  }

  /** As `lookUpKey`. */
  async query(): Promise<PaymentOutcome> {
    throw new RailUnavailable('the API Pix has no sending');
  }

  createCharge(charge: Charge): Promise<ChargeCode> {
    return this.cobs.create(charge);
  }

  cancelCharge(txid: string): Promise<ChargeClosing> {
    return this.cobs.cancel(txid);
  }

  refund(instruction: RefundInstruction, attempt: Attempt): Promise<RefundOutcome> {
    return this.devolucoes.refund(instruction, attempt);
  }

  queryRefund(refund: Pick<RefundInstruction, 'returnId' | 'endToEndId'>): Promise<RefundOutcome> {
    return this.devolucoes.query(refund);
  }

  receivedBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<Received>> {
    return this.received.receivedBetween(from, to, cursor);
  }

  movementsBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<RailMovement>> {
    return this.received.movementsBetween(from, to, cursor);
  }
}
