import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { EventLog, partitionOf, Partitions, type Sealed, SubjectVault } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { CURSOR_KEY, decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import { Cases } from '../../cases.js';
import { type Infraction, streamOfInfraction } from '../../domain/infraction.js';
import type { Defence } from '../../domain/infraction.events.js';
import { infractionTable } from '../../infraction.projection.js';
import { type CaseStep, showStep } from './infraction-view.js';
import { GetCaseSteps, GetInfraction, ListInfractions, type OpenedCase } from './infractions.query.js';

const MAX_STEPS = 100;

@QueryHandler(GetInfraction)
export class GetInfractionHandler implements IQueryHandler<GetInfraction> {
  constructor(
    private readonly cases: Cases,
    private readonly vault: SubjectVault,
  ) {}

  async execute({ id, accountUid }: GetInfraction): Promise<OpenedCase> {
    const known = await this.cases.find(id);
    if (!known || (accountUid !== undefined && known.infraction.accountUid !== accountUid)) {
      throw new EntityNotFound('InfractionEntity', 'id', id);
    }
    return (await opened(this.vault, [known.infraction]))[0]!;
  }
}

@QueryHandler(GetCaseSteps)
export class GetCaseStepsHandler implements IQueryHandler<GetCaseSteps> {
  constructor(private readonly log: EventLog) {}

  async execute({ id }: GetCaseSteps): Promise<CaseStep[]> {
    const events = await this.log.ofStream(partitionOf(id)!, streamOfInfraction(id), MAX_STEPS);
    return events.map(showStep);
  }
}

@QueryHandler(ListInfractions)
export class ListInfractionsHandler implements IQueryHandler<ListInfractions> {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly vault: SubjectVault,
  ) {}

  async execute({ accountUid, status, limit, cursor }: ListInfractions): Promise<Page<OpenedCase>> {
    const list = ['infractions', accountUid ?? null, status ?? null];
    const before = decodeCursor(list, cursor, CURSOR_KEY.id) ?? null;
    const where = accountUid === undefined ? this.partitions.all() : [partitionOf(accountUid)!];
    const { found } = await this.partitions.ask(where, (partition) =>
      this.database.query({
        name: accountUid === undefined ? 'infractions-of-all' : 'infractions-of-account',
        text: `
          select ${infractionTable.columns}
          from infraction
          where partition = $1 and ${accountUid === undefined ? '$2::uuid is null' : 'account_uid = $2'}
            and ($3::text is null or status = $3)
            and id < coalesce($4, 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid
          order by id desc limit $5`,
        values: [partition, accountUid ?? null, status ?? null, before, limit + 1],
      }),
    );
    const rows = found.flatMap(([, one]) => one.map(infractionTable.parse));
    const page = toPage(
      rows.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit + 1),
      limit,
      list,
      ({ id }) => id,
      (infraction) => infraction,
    );
    return { ...page, items: await opened(this.vault, page.items) };
  }
}

async function opened(vault: SubjectVault, infractions: readonly Infraction[]): Promise<OpenedCase[]> {
  const plain = new Map<Sealed, unknown>();
  for (const [partition, some] of Map.groupBy(infractions, ({ id }) => partitionOf(id)!)) {
    const sealed = some.flatMap(({ details, defence, note }) => [details, defence, note].filter((one) => one !== null));
    const texts = await vault.openAll<unknown>(partition, sealed);
    sealed.forEach((one, i) => plain.set(one, texts[i]));
  }
  const open = <T>(one: Sealed<T> | null) => one && ((plain.get(one) ?? null) as T | null);
  return infractions.map((infraction) => ({
    infraction,
    texts: {
      details: open(infraction.details),
      defence: open<Defence>(infraction.defence),
      note: open(infraction.note),
    },
  }));
}
