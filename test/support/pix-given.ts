import { type DefaultLimits, taxpayer, transactionParty } from '../../src/accounts/index.js';
import { newId, personal } from '../../src/event-store/index.js';
import {
  type CashInRequest,
  endCharge,
  expireCashIn,
  type IncomingPayment,
  receivePayment,
  registerCashIn,
} from '../../src/pix/domain/cash-in.decider.js';
import type { Caution } from '../../src/pix/domain/caution.js';
import '../../src/pix/domain/contradictions.js';
import { type CashOutEnding, endCashOut, registerCashOut } from '../../src/pix/domain/cash-out.decider.js';
import type { ExpectedPayer } from '../../src/pix/domain/events/shared.js';
import { cancelCashOut, runCashOut, scheduleCashOut } from '../../src/pix/domain/scheduled-cash-out.decider.js';
import { receiveReturn } from '../../src/pix/domain/incoming-return.decider.js';
import { endRefund, type RefundEnding, registerRefund } from '../../src/pix/domain/refund.decider.js';
import { type Decision, PARTITION, PARTNER, START } from './given.js';

/** Commands of Pix as the specifications of its deciders say them. Amounts are centavos. */

const webhook = { url: 'https://partner.example/hook' };
const MAXIMA = 900_000_00n;
const payee = taxpayer(PARTNER, '52998224725');
const payer = {
  name: 'Maria',
  taxNumber: '52998224725',
  ispb: '60701190',
  branch: '0001',
  number: '123456',
  digit: '7',
};
export const PAYER = { ...payer, type: 'CheckingsAccount' as const };

interface CashOutOptions {
  readonly charges?: bigint;
  readonly minimum?: bigint;
  readonly maximum?: bigint;
  readonly nightMaximum?: bigint;
  readonly orderIsTaken?: boolean;
  /** Tax number; `''` is nobody known. */
  readonly to?: string;
  readonly defaults?: DefaultLimits;
}

export function cashOut(id: string, amount: bigint, options: CashOutOptions = {}): Decision {
  const { charges = 0n, minimum = 1n, maximum = MAXIMA, nightMaximum = null, orderIsTaken = false } = options;
  const { to = '52998224725', defaults } = options;
  return (world, at) =>
    registerCashOut(
      {
        account: world.account,
        limits: { minimum, maximum },
        nightMaximum,
        charges,
        orderIsTaken,
        defaults,
        payee: world.payee(to),
      },
      {
        id,
        endToEndId: `E-${id}`,
        method: 'Key',
        amount,
        orderId: 'order-1',
        recipient: personal(taxpayer(PARTNER, to), { name: 'Maria', taxNumber: to }),
        webhook,
      },
      at,
    );
}

export const DUE = new Date(START.getTime() + 86_400_000);

interface LaterOptions extends CashOutOptions {
  readonly scheduledFor?: Date;
  readonly retryUntil?: Date;
}

export function cashOutLater(id: string, amount: bigint, options: LaterOptions = {}): Decision {
  const { charges = 0n, minimum = 1n, maximum = MAXIMA, nightMaximum = null, orderIsTaken = false } = options;
  const order = { method: 'Key' as const, amount: amount.toString(), orderId: 'order-1', webhook };
  const recipient = personal(payee, { name: 'Maria', taxNumber: '52998224725' });
  const terms = { scheduledFor: options.scheduledFor ?? DUE, retryUntil: options.retryUntil, timerId: `timer-${id}` };
  return ({ account }, at) =>
    scheduleCashOut(
      { account, limits: { minimum, maximum }, nightMaximum, charges, orderIsTaken },
      { ...order, id, recipient },
      terms,
      at,
    );
}

/** @param refusal of what the rail does not allow */
export function cashOutRuns(id: string, options: CashOutOptions = {}, refusal?: Error): Decision {
  const { minimum = 1n, maximum = MAXIMA, nightMaximum = null } = options;
  const assertCanBeSent = () => {
    if (refusal) throw refusal;
  };
  return (world, at) =>
    runCashOut(
      {
        account: world.account,
        limits: { minimum, maximum },
        nightMaximum,
        payee: () => {
          throw new Error('there are no limits of payees');
        },
      },
      world.transaction(id),
      { endToEndId: `E-${id}`, assertCanBeSent },
      at,
    );
}

export const cashOutIsCancelled =
  (id: string): Decision =>
  (world) =>
    cancelCashOut(world.transaction(id), PARTNER);

export const COMPLETED: CashOutEnding = {
  state: 'Completed',
  payee: personal(payee, PAYER),
  settledAt: START,
  receiptToken: 'token',
};

export function cashOutEnds(id: string, ending: CashOutEnding): Decision {
  return (world) => endCashOut(world.transaction(id), world, ending);
}

interface CashInOptions {
  readonly charges?: bigint;
  readonly minimum?: bigint;
  readonly maximum?: bigint;
  readonly orderIsTaken?: boolean;
  readonly expectedPayer?: ExpectedPayer;
  readonly expiresAt?: Date;
}

export const EXPIRES = new Date(START.getTime() + 3_600_000);

export function cashIn(id: string, amount: bigint, options: CashInOptions = {}): Decision {
  const { charges = 0n, minimum = 1n, maximum = MAXIMA, orderIsTaken = false, expectedPayer } = options;
  return (world) => {
    const request: CashInRequest = {
      id,
      amount,
      orderId: 'order-2',
      ...(expectedPayer && { expectedPayer: personal(transactionParty(id), expectedPayer) }),
      webhook,
      qrCode: `code-${id}`,
      location: `pix.example/${id}`,
      expiresAt: options.expiresAt ?? EXPIRES,
    };
    return registerCashIn({ account: world.account, limits: { minimum, maximum }, charges, orderIsTaken }, request);
  };
}

interface PaymentOptions {
  readonly endToEndId?: string;
  readonly at?: Date;
  readonly payer?: Partial<typeof PAYER>;
  readonly caution?: Caution;
}

export function payment(id: string, amount: bigint, options: PaymentOptions = {}): Decision {
  const from = { ...PAYER, ...options.payer };
  const endToEndId = options.endToEndId ?? 'E1';
  const incoming: IncomingPayment = {
    endToEndId,
    amount,
    at: options.at ?? START,
    payer: from,
    sealedPayer: personal(payee, from),
    returnId: `D-${endToEndId}`,
    sentOver: { rail: 'sandbox' },
    receiptToken: 'token',
    caution: options.caution,
  };
  return (world, now) => {
    const transaction = world.transaction(id);
    const sealed = transaction.details?.expectedPayer as { sealed: string } | undefined;
    const expectedPayer = sealed && (JSON.parse(sealed.sealed) as ExpectedPayer);
    const { account, settlement, fees } = world;
    return receivePayment({ transaction, account, settlement, fees, expectedPayer }, incoming, now);
  };
}

export const expiry =
  (id: string): Decision =>
  (world) =>
    expireCashIn(world.transaction(id));

export const chargeEnds =
  (id: string, state: 'Error' | 'Reversed'): Decision =>
  (world) =>
    endCharge(world.transaction(id), { state, reason: 'AB03' });

export function refund(id: string, parent: string, amount?: bigint): Decision {
  return (world, at) =>
    registerRefund(
      world.transaction(parent),
      world.account,
      { id, returnId: `D-${id}`, sentOver: { rail: 'sandbox' }, amount },
      at,
    );
}

export const REFUNDED: RefundEnding = { state: 'Completed', settledAt: START, receiptToken: 'token' };

export function refundEnds(id: string, ending: RefundEnding): Decision {
  return (world, at) => {
    const refund = world.transaction(id);
    const holdId = refund.details?.holdId as string | undefined;
    return endRefund(refund, world, ending, holdId === undefined ? undefined : world.hold(holdId), at);
  };
}

export function moneyBack(parent: string, amount: bigint, returnId = 'D9'): Decision {
  const returned = { returnId, endToEndId: `E-${parent}`, amount, at: START, code: 'BE08' };
  return (world) =>
    receiveReturn(world.transaction(parent), world, { ...returned, id: newId(PARTITION), receiptToken: 'token' });
}
