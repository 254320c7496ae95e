import { Inject, Injectable } from '@nestjs/common';
import {
  LoggedTransactions,
  Registry,
  systemAccountUid,
  type Transaction,
  TransactionRows,
} from '../../accounts/index.js';
import {
  KeyedCommands,
  LogContradicted,
  Partitions,
  partitionOf,
  REGISTRY_PARTITION,
} from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { ServiceUnavailable } from '../../platform/errors/index.js';
import { type CashOutDetails, detailsOf } from '../domain/details.js';
import { CashOutRegistered } from '../domain/events/cash-out.events.js';
import { partitionOfEndToEndId } from '../domain/values/end-to-end-id.js';
import { keyOfPaymentId } from '../domain/values/payment-id.js';
import { partitionOfTxid, uuidOfTxid } from '../domain/values/txid.js';

/** A transaction with what its commands need: its partner, and the accounts that its money moves on. */
export interface LocatedTransaction {
  readonly transaction: Transaction;
  readonly partition: number;
  readonly partnerUid: string;
  readonly accountUid: string;
  readonly settlementUid: string;
  readonly feesUid: string;
}

/** Finds transactions by the rail's identifiers. */
@Injectable()
export class PixTransactions {
  constructor(
    private readonly rows: TransactionRows,
    private readonly registry: Registry,
    private readonly partitions: Partitions,
    private readonly logged: LoggedTransactions,
    private readonly keyed: KeyedCommands,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async byId(id: string): Promise<LocatedTransaction | undefined> {
    const transaction = await this.rows.find(id);
    return transaction && this.#locate(transaction);
  }

  /**
   * As its own events make it: what the rail is told to pay, and whom.
   * @throws where the log does not have it, or not of this kind: it is not sent
   */
  async fromLog(kind: 'cash-in' | 'cash-out' | 'refund', id: string): Promise<LocatedTransaction> {
    return this.#locate(await this.logged.find(kind, id));
  }

  /**
   * A payout or a refund of which the rail says that it ended without being paid, as its own events make it: its money
   * is given back, and a row that was changed would give back another's.
   * @param identifier by which the rail names it
   * @throws LogContradicted where its events give it another one
   */
  async unpaid(
    kind: 'cash-out' | 'refund',
    { transaction: { id } }: LocatedTransaction,
    identifier: string,
  ): Promise<LocatedTransaction> {
    const located = await this.fromLog(kind, id);
    const { sentAs } = detailsOf<CashOutDetails>(located.transaction);
    if ([sentAs?.paymentId, located.transaction.endToEndId].includes(identifier)) return located;
    throw new LogContradicted(`The row of ${kind} ${id} has an identifier that its events do not have`);
  }

  async byTxid(txid: string | null): Promise<LocatedTransaction | undefined> {
    const id = txid === null ? undefined : uuidOfTxid(txid);
    const found = id === undefined ? undefined : await this.byId(id);
    return found?.transaction.type === 'CashIn' ? found : undefined;
  }

  /** By an EndToEndId, or the identifier of a return, that we minted. */
  async byOwnIdentifier(identifier: string): Promise<LocatedTransaction | undefined> {
    const partition = partitionOfEndToEndId(identifier, this.config.institution.ispb);
    if (partition === undefined) return undefined;
    const transaction = await this.rows.byEndToEndId(partition, identifier);
    return transaction && this.#locate(transaction);
  }

  /** The cash-out of a `paymentId`: an EndToEndId of ours, or that of `SentAs`. */
  async byPaymentId(paymentId: string): Promise<LocatedTransaction | undefined> {
    const id = uuidOfTxid(paymentId) ?? (await this.#sentAs(paymentId));
    const found = await (id === undefined ? this.byOwnIdentifier(paymentId) : this.byId(id));
    return found?.transaction.type === 'CashOut' ? found : undefined;
  }

  /** Id of the cash-out whose identifier at the rail follows from its request. */
  async #sentAs(paymentId: string): Promise<string | undefined> {
    const key = keyOfPaymentId(paymentId);
    if (!key || !this.partitions.all().includes(key.partition)) return undefined;
    const events = await this.keyed.eventsOf(key.partition, key.mark);
    const registered = events.filter((event) => CashOutRegistered.is(event));
    return registered.find(({ data }) => data.sentAs?.paymentId === paymentId)?.data.id;
  }

  /** The deposit that a payment paid, whose partition nobody knows. */
  async depositPaidBy(endToEndId: string): Promise<LocatedTransaction | undefined> {
    const { found, away } = await this.partitions.ask(this.partitions.all(), (partition) =>
      this.rows.paidBy(partition, endToEndId),
    );
    const deposit = found.map(([, transaction]) => transaction).find((one) => one !== undefined);
    if (!deposit && away.length > 0) throw new ServiceUnavailable('A partition cannot be reached.');
    return deposit && this.#locate(deposit);
  }

  /** The partition of an unmatched payment: that of its txid, if it exists, else the registry's. */
  partitionOfUnmatched(txid: string | null): number {
    const named = txid === null ? undefined : partitionOfTxid(txid);
    return named !== undefined && this.partitions.all().includes(named) ? named : REGISTRY_PARTITION;
  }

  async #locate(transaction: Transaction): Promise<LocatedTransaction> {
    const { accountUid } = transaction;
    const partition = partitionOf(transaction.id)!;
    const { partnerUid } = await this.registry.facts(accountUid);
    return {
      transaction,
      partition,
      partnerUid,
      accountUid,
      settlementUid: systemAccountUid(partnerUid, partition, 'pix-settlement'),
      feesUid: systemAccountUid(partnerUid, partition, 'fees'),
    };
  }
}
