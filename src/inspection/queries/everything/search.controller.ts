import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AuditorRoute } from '../../../audit/index.js';
import { CallingViewer, OperatorRoute, type Viewer } from '../../../auth/index.js';
import {
  Answers,
  done,
  type Envelope,
  IsGivenOnce,
  Parameter,
  rule,
  ValidQuery,
} from '../../../platform/http/index.js';
import { Transform } from 'class-transformer';
import { FOUND_EXAMPLE } from '../../search/found-transaction.js';
import { FoundEverything } from './search.answer.js';
import { SearchEverything } from './search.query.js';

/** A QR code's text has about half of it. */
const MAX_LENGTH = 1_000;
const { partnerUid, partnerName, accountUid, accountName } = FOUND_EXAMPLE;
const EXAMPLE: Envelope<FoundEverything> = done({
  transactions: [{ by: 'orderId', value: 'order-1', items: [FOUND_EXAMPLE], more: false }],
  partners: [{ by: 'name', uid: partnerUid, name: partnerName }],
  accounts: [
    {
      ...{ by: 'name', uid: accountUid, name: accountName, partnerUid, branch: '0001', number: '100001', digit: '4' },
      ...{ status: 'Active', partnerName },
    },
  ],
  accessKeys: [{ by: 'id', accessKey: accountUid, name: 'Checkout', accountUid, status: 'Active' }],
  partitionsAway: [],
});

const IsQuestion = () => {
  const info = { minimum: 1, maximum: MAX_LENGTH };
  const fault = { code: 'InvalidFormat', message: `must be 1 to ${MAX_LENGTH} characters`, info };
  const fits = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH;
  return rule('isQuestion', (value) => (fits(value) ? undefined : fault), { absentToo: true });
};
const Trimmed = () => Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
const QUESTION = {
  ...{ required: true, minLength: 1, maxLength: MAX_LENGTH },
  description: 'An identifier or its last 12 digits, an order, an EndToEndId, a CPF or CNPJ, an amount, a name, …',
};

class QuestionQuery {
  @Parameter(QUESTION, IsGivenOnce(), IsQuestion(), Trimmed()) q: string;
}

/** One search for anything that a user may paste: the same answer under `/admin` and `/audit`. */
abstract class SearchController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: 'Search by any meaning of a text',
    description:
      'Every matching meaning is searched for, and its results have it as `by`: transactions by identifier, order, EndToEndId, tax number of either side or amount; partners, accounts and access keys by identifier, tax number, account number or whole words of a name. Up to 20 of each; `more`: the search of transactions with `by` and `value` as its filter goes on.',
    answer: FoundEverything,
    example: EXAMPLE,
  })
  async searchEverything(@CallingViewer() viewer: Viewer, @ValidQuery(QuestionQuery) { q }: QuestionQuery) {
    return done(await this.queries.execute(new SearchEverything(viewer, q)));
  }
}

@ApiTags('Operator')
@Controller('admin/search')
@OperatorRoute()
export class OperatorSearchController extends SearchController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}

@ApiTags('Audit')
@Controller('audit/search')
@AuditorRoute()
export class AuditSearchController extends SearchController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}
