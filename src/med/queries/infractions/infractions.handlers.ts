import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Registry } from '../../../accounts/index.js';
import { EventLog, partitionOf, Partitions } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { EntityNotFound, ServiceUnavailable } from '../../../platform/errors/index.js';
import { CURSOR_KEY, decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import { Cases } from '../../cases.js';
import { streamOfInfraction } from '../../domain/infraction.js';
import { infractionTable } from '../../infraction.projection.js';
import { type CaseStep, showStep } from './infraction-view.js';
import { type CaseOwner, GetCaseSteps, GetInfraction, ListInfractions } from './infractions.query.js';
import { CaseOpener, type OpenedCase } from './opened-case.js';

const MAX_STEPS = 100;

@QueryHandler(GetInfraction)
export class GetInfractionHandler implements IQueryHandler<GetInfraction> {
  constructor(
    private readonly cases: Cases,
    private readonly opener: CaseOpener,
  ) {}

  async execute({ id, owner }: GetInfraction): Promise<OpenedCase> {
    const known = await this.cases.find(id);
    const { accountUid = known?.infraction.accountUid, partnerUid = known?.partnerUid } = owner;
    if (!known || known.infraction.accountUid !== accountUid || known.partnerUid !== partnerUid) {
      throw new EntityNotFound('InfractionEntity', 'id', id);
    }
    return (await this.opener.open([known.infraction]))[0]!;
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
    private readonly registry: Registry,
    private readonly opener: CaseOpener,
  ) {}

  async execute({ owner, status, limit, cursor }: ListInfractions): Promise<Page<OpenedCase>> {
    const { name, condition, uid, partitions } = await this.#listOf(owner);
    const list = [name, uid, status ?? null];
    const before = decodeCursor(list, cursor, CURSOR_KEY.id) ?? null;
    const { found, away } = await this.partitions.ask(partitions, (partition) =>
      this.database.query({
        name,
        text: `
          select ${infractionTable.columns}
          from infraction
          where partition = $1 and ${condition} and ($3::text is null or status = $3)
            and id < coalesce($4, 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid
          order by id desc limit $5`,
        values: [partition, uid, status ?? null, before, limit + 1],
      }),
    );
    // A list without some would end before them, and its next pages too.
    if (away.length > 0) throw new ServiceUnavailable('A partition cannot be reached.');
    const rows = found.flatMap(([, one]) => one.map(infractionTable.parse));
    const page = toPage(
      rows.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit + 1),
      limit,
      list,
      ({ id }) => id,
      (infraction) => infraction,
    );
    return { ...page, items: await this.opener.open(page.items) };
  }

  async #listOf({ accountUid, partnerUid }: CaseOwner) {
    if (accountUid !== undefined) {
      const partitions = [partitionOf(accountUid)!];
      return { name: 'infractions-of-account', condition: 'account_uid = $2', uid: accountUid, partitions };
    }
    if (partnerUid !== undefined) {
      const { homePartition } = await this.registry.partner(partnerUid);
      const ofPartner = 'account_uid in (select uid from account where partition = $1 and partner_uid = $2)';
      return { name: 'infractions-of-partner', condition: ofPartner, uid: partnerUid, partitions: [homePartition] };
    }
    return { name: 'infractions', condition: '$2::uuid is null', uid: null, partitions: this.partitions.all() };
  }
}
