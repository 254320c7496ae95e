import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AuditorRoute } from '../../../audit/index.js';
import { CallingViewer, OperatorRoute, type Viewer } from '../../../auth/index.js';
import { Answers, done, IsGivenOnce, Means, Parameter, ValidQuery } from '../../../platform/http/index.js';
import { AccountNames } from './names.answer.js';
import { ReadNames } from './names.query.js';

const MOST = 100;
const UID = '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e';

const AreUids = () => {
  const parse = (text: string) => {
    const uids = new Set(text.split(',').filter((uid) => uid !== ''));
    return uids.size === 0 || uids.size > MOST ? undefined : uids;
  };
  return Means('areUids', parse, `must be 1 to ${MOST} identifiers`, { minimum: 1, maximum: MOST });
};
const UIDS = { required: true, description: `Up to ${MOST} identifiers of accounts, separated by commas` };

class NamesQuery {
  @Parameter(UIDS, IsGivenOnce(), AreUids()) uids: ReadonlySet<string>;
}

/** Names of accounts in a transaction's history: the same answer under `/admin` and `/audit`. */
abstract class NamesController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: 'Names of accounts',
    description: 'Of existing accounts that the viewer may see; `null` if the person was forgotten.',
    answer: AccountNames,
    example: done({ items: [{ uid: UID, name: 'Loja Exemplo Ltda' }], partitionsAway: [] }),
  })
  async readNames(@CallingViewer() viewer: Viewer, @ValidQuery(NamesQuery) { uids }: NamesQuery) {
    return done(await this.queries.execute(new ReadNames(viewer, uids)));
  }
}

@ApiTags('Operator')
@Controller('admin/names')
@OperatorRoute()
export class OperatorNamesController extends NamesController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}

@ApiTags('Audit')
@Controller('audit/names')
@AuditorRoute()
export class AuditNamesController extends NamesController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}
