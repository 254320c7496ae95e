import { Injectable } from '@nestjs/common';
import type { PixKey } from '../../domain/values/pix-key.js';
import type {
  Charge,
  ChargeClosing,
  ChargeCode,
  KeyLookup,
  PaymentInstruction,
  PaymentOutcome,
  PixRail,
  RailMovement,
  RailPage,
  Received,
  RefundInstruction,
  RefundOutcome,
} from '../pix-rail.js';
import { SandboxBehaviour } from './behaviour.js';
import { Charges } from './charges.js';
import { History } from './history.js';
import { PaymentsIn } from './payments-in.js';
import { PaymentsOut } from './payments-out.js';
import { reached } from './reached.js';
import { Refunds } from './refunds.js';
import { lookUp } from './script.js';

/**
 * The rail that plays DICT, the SPI and the other banks (decisions 10). It has books of its own and is never part of
 * the ledger's transaction; nothing may rely on both being in one database.
 */
@Injectable()
export class SandboxRail implements PixRail {
  readonly name = 'sandbox';
  readonly capabilities = { sends: true, identifiesPayer: 'ByAccount' } as const;

  constructor(
    private readonly charges: Charges,
    private readonly paymentsIn: PaymentsIn,
    private readonly paymentsOut: PaymentsOut,
    private readonly refunds: Refunds,
    private readonly history: History,
    private readonly behaviour: SandboxBehaviour,
  ) {}

  async lookUpKey(key: PixKey): Promise<KeyLookup> {
    return lookUp(key);
  }

  send(instruction: PaymentInstruction): Promise<PaymentOutcome> {
    return reached(() => this.paymentsOut.send(instruction));
  }

  query(endToEndId: string): Promise<PaymentOutcome> {
    return reached(() => this.paymentsOut.find(endToEndId));
  }

  async createCharge(charge: Charge): Promise<ChargeCode> {
    await reached(() => this.charges.create(charge));
    return { location: charge.location };
  }

  cancelCharge(txid: string): Promise<ChargeClosing> {
    return reached(async () => {
      const { status, paidBy } = await this.charges.close(txid);
      const payment = status === 'Paid' ? await this.paymentsIn.find(paidBy!) : undefined;
      return payment ? { status: 'Paid', payment } : { status: 'Cancelled' };
    });
  }

  refund(instruction: RefundInstruction): Promise<RefundOutcome> {
    return reached(async () => {
      // A payment that did not fit is returned at once.
      const held = instruction.code !== 'BE08' && (await this.behaviour.get()).refunds === 'hold';
      return this.refunds.refund(instruction, held);
    });
  }

  queryRefund({ returnId }: Pick<RefundInstruction, 'returnId'>): Promise<RefundOutcome> {
    return reached(() => this.refunds.find(returnId));
  }

  receivedBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<Received>> {
    return reached(() => this.history.receivedBetween(from, to, cursor));
  }

  movementsBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<RailMovement>> {
    return reached(() => this.history.movementsBetween(from, to, cursor));
  }
}
