import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { ValidationError } from '../../../platform/errors/index.js';
import { Answers, done, Paged, parseLimit, parseMoment, PERIOD } from '../../../platform/http/index.js';
import type { TransactionState, TransactionType } from '../../transactions/transaction.js';
import { TRANSACTION_EXAMPLE, TRANSACTION_FREEDOM } from './transaction-view.js';
import { GetTransaction, ListTransactions } from './transactions.query.js';

const TYPES: readonly TransactionType[] = ['Transfer', 'CashIn', 'CashOut', 'Refund'];
const STATES: readonly TransactionState[] = ['Registered', 'Completed', 'Error', 'Reversed', 'Cancelled'];

@ApiTags('Transactions')
@Controller('partners-int/accounts/transactions')
@PartnerRoute('accounts:read')
export class TransactionsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Paged(
    { name: 'type', description: 'Only this type', enum: TYPES },
    { name: 'state', description: 'Only those now in this state', enum: STATES },
    { name: 'orderId', description: 'Only those with this orderId' },
    { name: 'endToEndId', description: 'Only the one with this identifier of the rail' },
    ...PERIOD,
  )
  @Answers({
    summary: 'Transactions of the account of the context, newest first',
    description: 'A transfer shows to both its accounts; its amount is negative for the sender.',
    status: 200,
    example: done({ items: [TRANSACTION_EXAMPLE], nextCursor: null }),
    ...TRANSACTION_FREEDOM,
    errors: [400],
  })
  async list(
    @Caller() caller: Principal,
    @Query('type') type?: string,
    @Query('state') state?: string,
    @Query('orderId') orderId?: string,
    @Query('endToEndId') endToEndId?: string,
    @Query('from') from?: string,
    @Query('to') to?: string,
    @Query('limit') limit?: string,
    @Query('cursor') cursor?: string,
  ) {
    const filters = {
      type: oneOf('type', type, TYPES),
      state: oneOf('state', state, STATES),
      orderId: single('orderId', orderId),
      endToEndId: single('endToEndId', endToEndId),
      from: parseMoment('from', from),
      to: parseMoment('to', to),
    };
    return done(
      await this.queries.execute(new ListTransactions(caller.accountUid, filters, parseLimit(limit), cursor)),
    );
  }

  @Get(':id')
  @Answers({
    summary: 'One transaction',
    status: 200,
    example: done(TRANSACTION_EXAMPLE),
    ...TRANSACTION_FREEDOM,
    errors: [404],
  })
  async get(@Caller() caller: Principal, @Param('id') id: string) {
    return done(await this.queries.execute(new GetTransaction(caller.accountUid, id)));
  }
}

function oneOf<T extends string>(path: string, text: string | undefined, allowedValues: readonly T[]): T | undefined {
  if (text === undefined) return undefined;
  const known = allowedValues.find((one) => one === text);
  if (known) return known;
  const message = `must be one of ${allowedValues.join(', ')}`;
  throw new ValidationError([{ path, code: 'NotAllowed', message, info: { allowedValues } }]);
}

/** A filter given twice arrives as a list; and a NUL can stand in no text of the database. */
function single(path: string, text: unknown): string | undefined {
  if (text === undefined) return undefined;
  if (typeof text === 'string' && !text.includes('\0')) return text;
  throw new ValidationError([{ path, code: 'InvalidFormat', message: 'must be given once, as text', info: {} }]);
}
