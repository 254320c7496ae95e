import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { Answers, done } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import type { DueTerms } from '../../code-reading/charge-terms.js';
import { CODE_REFUSALS } from '../../domain/code-refused.js';
import type { ParsedBrCode } from '../../domain/values/br-code.js';
import { DecodeCodeBody, DecodeCodeDto } from './decode-code.dto.js';
import { DecodeCode, type DecodedCode } from './decode-code.query.js';
import { type CodeDue, DecodedCodeView } from './decoded-code.answer.js';

@ApiTags('Pix')
@Controller('partners-int/accounts/pix/qrcode/decode')
@PartnerRoute('pix:cashout')
export class DecodeCodeController {
  constructor(private readonly queries: QueryBus) {}

  @Post()
  @HttpCode(200)
  @ApiBody({ type: DecodeCodeDto })
  @Answers({
    summary: 'Read a Pix code: who receives what, and whether it can be paid',
    description:
      'Pays nothing. The charge of a dynamic code is fetched from its address, and its signature verified. A code that ' +
      'is whole is answered with 200 also where it cannot be paid: `refusal` says why.',
    answer: DecodedCodeView,
    example: done({
      kind: 'Static',
      canBePaid: true,
      refusal: null,
      receiver: { name: 'Padaria Aurora', city: 'SAO PAULO', taxNumber: null, key: 'pix@padaria.example' },
      amount: '10.50',
      payerMayChangeAmount: false,
      txid: 'pedido1',
      description: null,
      expiresAt: null,
      due: null,
    } satisfies DecodedCodeView),
  })
  async decodeCode(@Caller() caller: Principal, @Body(DecodeCodeBody) code: ParsedBrCode) {
    return done(show(await this.queries.execute(new DecodeCode(caller, code))));
  }
}

function show({ code, charge, refusal }: DecodedCode): DecodedCodeView {
  const ofKey = code.kind === 'Static' ? code : undefined;
  // An amount of nothing is one that the payer chooses.
  const amount = (charge ? charge.amount : ofKey?.amount) || undefined;
  return {
    kind: code.kind,
    canBePaid: refusal === null,
    refusal: refusal && { reason: refusal, message: CODE_REFUSALS[refusal] },
    receiver: {
      name: charge?.receiver?.name ?? code.merchantName,
      city: code.merchantCity,
      taxNumber: charge?.receiver?.taxNumber ?? null,
      key: charge?.key ?? ofKey?.key ?? null,
    },
    amount: amount === undefined ? null : formatAmount(amount),
    payerMayChangeAmount: charge ? charge.payerMayChangeAmount : ofKey !== undefined && amount === undefined,
    txid: charge?.txid ?? ofKey?.txid ?? null,
    description: charge?.description ?? ofKey?.information ?? null,
    expiresAt: charge?.expiresAt.toISOString() ?? null,
    due: charge?.due ? showDue(charge.due) : null,
  };
}

function showDue({ date, ...amounts }: DueTerms): CodeDue {
  const shown = Object.entries(amounts).map(([name, value]) => [name, value === null ? null : formatAmount(value)]);
  return { date, ...(Object.fromEntries(shown) as Omit<CodeDue, 'date'>) };
}
