import { Controller, Get, Header, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { SharedReads } from '../../../platform/database/index.js';
import {
  Answers,
  DEFAULT_LIMIT,
  done,
  type Envelope,
  IsChoice,
  IsCursor,
  IsFilter,
  IsFrom,
  IsLimit,
  IsTo,
  type JsonText,
  jsonText,
  type Page,
  ValidQuery,
} from '../../../platform/http/index.js';
import {
  TRANSACTION_STATES,
  TRANSACTION_TYPES,
  type TransactionState,
  type TransactionType,
} from '../../transactions/transaction.js';
import { TRANSACTION_EXAMPLE, TransactionView } from './transaction-view.js';
import { GetTransaction, ListTransactions, type TransactionFilters } from './transactions.query.js';

class TransactionsQuery implements TransactionFilters {
  @IsChoice('Only this type', TRANSACTION_TYPES) type?: TransactionType;
  @IsChoice('Only those now in this state', TRANSACTION_STATES) state?: TransactionState;
  @IsFilter('Only those with this orderId; where orders must be unique, in NFC and trimmed, as they are compared')
  orderId?: string;

  @IsFilter('Only the one with this identifier of the rail') endToEndId?: string;
  @IsFrom() from?: Date;
  @IsTo() to?: Date;
  @IsLimit() limit = DEFAULT_LIMIT;
  @IsCursor() cursor?: string;
}

@ApiTags('Transactions')
@Controller('partners-int/accounts/transactions')
@PartnerRoute('accounts:read')
export class TransactionsController {
  /** Answers: a partner's systems poll the same page of an account. */
  readonly #lists = new SharedReads<JsonText<Envelope<Page<TransactionView>>>>();

  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: 'Transactions of the account of the context, newest first',
    description: 'A transfer shows to both its accounts; its amount is negative for the sender.',
    answer: TransactionView,
    list: true,
    example: done({ items: [TRANSACTION_EXAMPLE], nextCursor: null }),
  })
  @Header('content-type', 'application/json; charset=utf-8')
  listTransactions(
    @Caller() caller: Principal,
    @ValidQuery(TransactionsQuery) { limit, cursor, ...filters }: TransactionsQuery,
  ) {
    const query = new ListTransactions(caller.partnerUid, caller.accountUid, filters, limit, cursor);
    return this.#lists.run(JSON.stringify(query), async () => jsonText(done(await this.queries.execute(query))));
  }

  @Get(':id')
  @Answers({
    summary: 'One transaction',
    answer: TransactionView,
    example: done(TRANSACTION_EXAMPLE),
    errors: [404],
  })
  async getTransaction(@Caller() caller: Principal, @Param('id') id: string) {
    return done(await this.queries.execute(new GetTransaction(caller.accountUid, id)));
  }
}
