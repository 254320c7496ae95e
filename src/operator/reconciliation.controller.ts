import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { OperatorRoute } from '../auth/index.js';
import { type Mismatch, ReconcileDay, type Reconciliation, type Total } from '../pix/index.js';
import { Answers, done, Parameter, parseDate, rule, ValidQuery } from '../platform/http/index.js';
import { formatAmount } from '../platform/money.js';
import { ReconciliationView } from './operator.answer.js';

const NOTHING = { count: 0, amount: '0.00' };
const SIDE = { PaymentIn: { count: 2, amount: '30.00' }, PaymentOut: NOTHING, RefundIn: NOTHING, RefundOut: NOTHING };

function IsDay(): PropertyDecorator {
  const fault = { code: 'InvalidFormat', message: 'must be a calendar day, such as 2026-11-20' };
  const isDay = (value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && parseDate(value) !== undefined;
  return rule('isDay', (value) => (isDay(value) ? undefined : fault), { absentToo: true });
}

class ReconciliationQuery {
  @Parameter({ required: true, description: 'Calendar day of São Paulo', format: 'date' }, IsDay()) date: string;
}

@ApiTags('Operator')
@Controller('admin/reconciliation')
@OperatorRoute()
export class ReconciliationController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: "A day's movements at the rail against the ledger's",
    description: 'The first thousand mismatches are listed; a side that does not know a movement is null.',
    answer: ReconciliationView,
    example: done({
      date: '2026-11-20',
      from: '2026-11-20T03:00:00.000Z',
      to: '2026-11-21T03:00:00.000Z',
      matches: true,
      rail: SIDE,
      ledger: SIDE,
      mismatched: 0,
      mismatches: [],
    }),
  })
  async reconcileDay(@ValidQuery(ReconciliationQuery) { date }: ReconciliationQuery) {
    return done({ date, ...show(await this.queries.execute(new ReconcileDay(date))) });
  }
}

function show({ from, to, rail, ledger, mismatched, mismatches }: Reconciliation): Omit<ReconciliationView, 'date'> {
  return {
    from,
    to,
    matches: mismatched === 0,
    rail: showSide(rail),
    ledger: showSide(ledger),
    mismatched,
    mismatches: mismatches.map(showMismatch),
  };
}

function showSide(side: Reconciliation['rail']) {
  const { PaymentIn, PaymentOut, RefundIn, RefundOut } = side;
  const shown = ({ count, amount }: Total) => ({ count, amount: formatAmount(amount) });
  return {
    PaymentIn: shown(PaymentIn),
    PaymentOut: shown(PaymentOut),
    RefundIn: shown(RefundIn),
    RefundOut: shown(RefundOut),
  };
}

function showMismatch({ kind, id, transactionId, rail, ledger }: Mismatch) {
  const amountOf = (side: bigint | null) => (side === null ? null : formatAmount(side));
  return { kind, id, transactionId, rail: amountOf(rail), ledger: amountOf(ledger) };
}
