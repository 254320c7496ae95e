import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { OperatorRoute } from '../auth/index.js';
import { type Mismatch, ReconcileDay, type Reconciliation, type Total } from '../pix/index.js';
import { ValidationError } from '../platform/errors/index.js';
import { Answers, done, parseDate } from '../platform/http/index.js';
import { formatAmount } from '../platform/money.js';

const NOTHING = { count: 0, amount: '0.00' };
const SIDE = { PaymentIn: { count: 2, amount: '30.00' }, PaymentOut: NOTHING, RefundIn: NOTHING, RefundOut: NOTHING };

@ApiTags('Operator')
@Controller('admin/reconciliation')
@OperatorRoute()
export class ReconciliationController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ApiQuery({ name: 'date', description: 'Calendar day of São Paulo', schema: { type: 'string', format: 'date' } })
  @Answers({
    summary: "A day's movements at the rail against the ledger's",
    description: 'The first thousand mismatches are listed; a side that does not know a movement is null.',
    status: 200,
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
    errors: [400],
  })
  async reconcile(@Query('date') date?: string) {
    const day = dayOf(date);
    return done({ date: day, ...show(await this.queries.execute(new ReconcileDay(day))) });
  }
}

function dayOf(date: unknown): string {
  if (typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date) && parseDate(date)) return date;
  throw new ValidationError([
    { path: 'date', code: 'InvalidFormat', message: 'must be a calendar day, such as 2026-11-20', info: {} },
  ]);
}

function show({ from, to, rail, ledger, mismatched, mismatches }: Reconciliation) {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    matches: mismatched === 0,
    rail: showSide(rail),
    ledger: showSide(ledger),
    mismatched,
    mismatches: mismatches.map(showMismatch),
  };
}

function showSide(side: Reconciliation['rail']) {
  return Object.fromEntries(
    Object.entries(side).map(([kind, { count, amount }]: [string, Total]) => [
      kind,
      { count, amount: formatAmount(amount) },
    ]),
  );
}

function showMismatch({ kind, id, transactionId, rail, ledger }: Mismatch) {
  const amountOf = (side: bigint | null) => (side === null ? null : formatAmount(side));
  return { kind, id, transactionId, rail: amountOf(rail), ledger: amountOf(ledger) };
}
