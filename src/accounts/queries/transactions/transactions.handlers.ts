import { Inject, Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { partitionOf, type Sealed, SubjectVault } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { turnsOfPages } from '../../../platform/fair-turns.js';
import { CURSOR_KEY, decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import { Registry } from '../../registry.js';
import type { Transaction } from '../../transactions/transaction.js';
import { DeliveryStatuses } from './delivery-statuses.js';
import { paymentDescription } from './payment-description.js';
import { TransactionRows } from './transaction-rows.js';
import { descriptionOf, showTransaction, type TransactionView } from './transaction-view.js';
import { GetTransaction, ListTransactions } from './transactions.query.js';

/** Decrypts, joins and shows transactions, a page at a time. */
@Injectable()
export class TransactionShow {
  constructor(
    private readonly registry: Registry,
    private readonly vault: SubjectVault,
    private readonly deliveries: DeliveryStatuses,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async all(accountUid: string, transactions: readonly Transaction[]): Promise<TransactionView[]> {
    const partition = partitionOf(accountUid)!;
    const sealed = transactions.flatMap((transaction): readonly Sealed[] => [
      ...(descriptionOf(transaction) ? [descriptionOf(transaction)!] : []),
      ...(paymentDescription(transaction.type)?.sealed(transaction) ?? []),
    ]);
    const notified = transactions.filter(({ type }) => type !== 'Transfer');
    const [{ holder }, opened, statuses] = await Promise.all([
      this.registry.facts(accountUid),
      this.vault.openAll(partition, sealed),
      this.deliveries.of(partition, notified),
    ]);
    const plain = new Map(sealed.map((one, i) => [one, opened[i]]));
    const open = <T>(one: Sealed<T>) => (plain.get(one) ?? null) as T | null;
    return transactions.map((transaction) => {
      const deliveryStatus = statuses.get(transaction.id) ?? null;
      return showTransaction(transaction, { accountUid, holder, deliveryStatus }, open, this.config);
    });
  }
}

@QueryHandler(GetTransaction)
export class GetTransactionHandler implements IQueryHandler<GetTransaction> {
  constructor(
    private readonly rows: TransactionRows,
    private readonly show: TransactionShow,
  ) {}

  async execute({ accountUid, id }: GetTransaction): Promise<TransactionView> {
    const transaction = partitionOf(id) === partitionOf(accountUid) ? await this.rows.find(id) : undefined;
    if (!transaction || ![transaction.accountUid, transaction.counterpartyUid].includes(accountUid)) {
      throw new EntityNotFound('TransactionEntity', 'id', id);
    }
    return (await this.show.all(accountUid, [transaction]))[0]!;
  }
}

@QueryHandler(ListTransactions)
export class ListTransactionsHandler implements IQueryHandler<ListTransactions> {
  readonly #turns = turnsOfPages(4);

  constructor(
    private readonly rows: TransactionRows,
    private readonly registry: Registry,
    private readonly show: TransactionShow,
  ) {}

  /** @throws Overloaded when its turn does not come */
  execute(query: ListTransactions): Promise<Page<TransactionView>> {
    return this.#turns.take(query.partnerUid, () => this.#list(query));
  }

  async #list({ partnerUid, accountUid, filters, limit, cursor }: ListTransactions): Promise<Page<TransactionView>> {
    const { type, state, orderId, endToEndId, from, to } = filters;
    const list = ['transactions', accountUid, type, state, orderId, endToEndId, from, to].map((one) => one ?? null);
    const before = decodeCursor(list, cursor, CURSOR_KEY.position) ?? null;
    const uniqueOrderIds = orderId !== undefined && (await this.registry.partner(partnerUid)).settings.uniqueOrderIds;
    const window = { partnerUid, accountUid, filters, uniqueOrderIds, before, limit: limit + 1 };
    const transactions = await this.rows.list(partitionOf(accountUid)!, window);
    const page = toPage(
      transactions,
      limit,
      list,
      ({ position }) => position.toString(),
      (transaction) => transaction,
    );
    return { ...page, items: await this.show.all(accountUid, page.items) };
  }
}
