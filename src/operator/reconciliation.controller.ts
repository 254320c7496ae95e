import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { ActingOperator, type Operator, operatorActor, OperatorRoute } from '../auth/index.js';
import {
  CASE_STATUSES,
  CloseReconciliationCase,
  ListReconciliationCases,
  type Mismatch,
  ReconcileDay,
  type Reconciliation,
  type ReconciliationCase,
  type Total,
} from '../pix/index.js';
import {
  Answers,
  done,
  IsChoice,
  IsText,
  PageQuery,
  Parameter,
  parseDate,
  RequestId,
  rule,
  ValidBody,
  ValidQuery,
} from '../platform/http/index.js';
import { formatAmount } from '../platform/money.js';
import { ReconciliationCaseView, ReconciliationView } from './operator.answer.js';

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

class CasesQuery extends PageQuery {
  @IsChoice('Cases of that status alone', CASE_STATUSES) status?: ReconciliationCase['status'];
}

export class CloseCaseDto {
  @ApiProperty({ example: 'Paid by hand at the PSP, refunded there.', description: 'The finding; no personal data' })
  @IsText({ minimum: 1, maximum: 280 })
  note: string;
}

const CASE = {
  id: '4a1c7b1e-3f0d-8c52-8f51-0d9be2a64c11',
  day: '2026-11-20',
  kind: 'PaymentOut' as const,
  reference: 'E1234567820261120140400000000001',
  transactionId: null,
  rail: '10.00',
  ledger: null,
  status: 'Open' as const,
  openedAt: '2026-11-21T04:00:00.123Z',
  closedAt: null,
  closedBy: null,
  note: null,
};

@ApiTags('Operator')
@Controller('admin/reconciliation')
@OperatorRoute()
export class ReconciliationController {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
  ) {}

  @Get()
  @Answers({
    summary: "A day's movements at the rail against the ledger's",
    description: 'The first thousand mismatches are listed; a side that does not have a movement is null.',
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

  @Get('cases')
  @Answers({
    summary: 'Differences between rail and ledger that the nightly reconciliation found',
    description: 'A movement is one case however often it is found; a `Balance` is the balance that the rail reports.',
    answer: ReconciliationCaseView,
    list: true,
    example: done({ items: [CASE], nextCursor: null }),
  })
  async listReconciliationCases(@ValidQuery(CasesQuery) { status, limit, cursor }: CasesQuery) {
    const { items, nextCursor } = await this.queries.execute(new ListReconciliationCases(status, limit, cursor));
    return done({ items: items.map(showCase), nextCursor });
  }

  @Post('cases/:id/close')
  @HttpCode(200)
  @Answers({
    summary: 'Close a case with a note',
    description: 'It changes no balance. Closing a closed case changes nothing.',
    answer: ReconciliationCaseView,
    example: done({ ...CASE, status: 'Closed' }),
    errors: [404],
  })
  async closeReconciliationCase(
    @ActingOperator() operator: Operator,
    @Param('id') id: string,
    @ValidBody(CloseCaseDto) { note }: CloseCaseDto,
    @RequestId() requestId: string,
  ) {
    return done(
      showCase(await this.commands.execute(new CloseReconciliationCase(id, note, operatorActor(operator), requestId))),
    );
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

function showCase({ rail, ledger, ...one }: ReconciliationCase): ReconciliationCaseView {
  return { ...one, rail: amountOf(rail), ledger: amountOf(ledger) };
}

function showMismatch({ kind, id, transactionId, rail, ledger }: Mismatch) {
  return { kind, id, transactionId, rail: amountOf(rail), ledger: amountOf(ledger) };
}

function amountOf(side: bigint | null): string | null {
  return side === null ? null : formatAmount(side);
}
