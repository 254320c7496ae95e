import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { LoggedTransactions, Registry, type Transaction, TransactionRows } from '../../../accounts/index.js';
import { partitionOf, type Sealed, SubjectVault } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { type CashInDetails, type CashOutDetails, detailsOf, type RefundDetails } from '../../domain/details.js';
import type { Party } from '../../domain/events/index.js';
import { GetReceipt } from './receipt.query.js';
import type { Receipt, ReceiptParty } from './receipt.js';
import { ReceiptAddresses } from './receipt-address.js';

/** A receipt's counterparty, and the direction of the money. */
interface Movement {
  readonly token: string | undefined;
  readonly settledAt: string | undefined;
  readonly other: Sealed<Party> | undefined;
  readonly incoming: boolean;
  readonly keyChecked?: false;
}

const STREAMS = { CashIn: 'cash-in', CashOut: 'cash-out', Refund: 'refund', Transfer: undefined } as const;

/** A receipt proves a payment to others: its row, which somebody may have changed, only says what it is one of. */
@QueryHandler(GetReceipt)
export class GetReceiptHandler implements IQueryHandler<GetReceipt> {
  readonly #addresses: ReceiptAddresses;

  constructor(
    private readonly rows: TransactionRows,
    private readonly logged: LoggedTransactions,
    private readonly registry: Registry,
    private readonly vault: SubjectVault,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.#addresses = new ReceiptAddresses(config);
  }

  async execute({ transactionId, token }: GetReceipt): Promise<Receipt> {
    const row = await this.rows.find(transactionId);
    const kind = row && STREAMS[row.type];
    const transaction = kind && (await this.logged.findIfAny(kind, transactionId));
    const movement = transaction?.state === 'Completed' ? movementOf(transaction) : undefined;
    if (!transaction || !movement?.token || !this.#addresses.isSecret(token, transactionId, movement.token)) {
      throw new EntityNotFound('ReceiptEntity', 'transactionId', transactionId);
    }
    return this.#receipt(transaction, movement);
  }

  async #receipt(transaction: Transaction, { other, incoming, settledAt, keyChecked }: Movement): Promise<Receipt> {
    const { institution } = this.config;
    const account = await this.registry.account(transaction.accountUid);
    const { name, taxNumber } = await this.registry.holderOf(account);
    const own: ReceiptParty = { name, taxNumber, ispb: institution.ispb };
    const party = other && (await this.vault.open(partitionOf(transaction.id)!, other));
    const theirs = { name: party?.name ?? '', taxNumber: party?.taxNumber ?? '', ispb: party?.ispb ?? '' };
    return {
      transactionId: transaction.id,
      endToEndId: transaction.endToEndId ?? '',
      amount: transaction.amount,
      completedAt: new Date(settledAt ?? transaction.stateDates.Completed!),
      orderId: transaction.orderId ?? '',
      kind: transaction.type === 'Refund' ? 'Refund' : 'Payment',
      payer: incoming ? theirs : own,
      recipient: incoming ? own : theirs,
      ...(keyChecked === false && { keyChecked }),
      institution,
    };
  }
}

function movementOf(transaction: Transaction): Movement | undefined {
  switch (transaction.type) {
    case 'CashIn': {
      const { receiptToken: token, settledAt, payer } = detailsOf<CashInDetails>(transaction);
      return { token, settledAt, other: payer, incoming: true };
    }
    case 'CashOut': {
      const { receiptToken: token, settledAt, payee, keyChecked } = detailsOf<CashOutDetails>(transaction);
      const isUnchecked = keyChecked === false && { keyChecked };
      return { token, settledAt, other: payee, incoming: false, ...isUnchecked };
    }
    case 'Refund': {
      const { receiptToken: token, settledAt, party, direction } = detailsOf<RefundDetails>(transaction);
      return { token, settledAt, other: party, incoming: direction === 'In' };
    }
    case 'Transfer':
      return undefined;
  }
}
