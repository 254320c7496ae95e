import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { REGISTRY_PARTITION, SubjectVault } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { CURSOR_KEY, decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import { parsePartner, partnerProjection } from '../../partner.projection.js';
import { Registry } from '../../registry.js';
import { type PartnerView, showPartner } from './partner-view.js';
import { GetPartner, ListPartners } from './partners.query.js';

@QueryHandler(GetPartner)
export class GetPartnerHandler implements IQueryHandler<GetPartner> {
  constructor(
    private readonly registry: Registry,
    private readonly vault: SubjectVault,
  ) {}

  async execute({ uid }: GetPartner): Promise<PartnerView> {
    const partner = await this.registry.partner(uid);
    return showPartner(partner, await this.vault.open(REGISTRY_PARTITION, partner.holder));
  }
}

@QueryHandler(ListPartners)
export class ListPartnersHandler implements IQueryHandler<ListPartners> {
  constructor(
    private readonly database: Database,
    private readonly vault: SubjectVault,
  ) {}

  async execute({ limit, cursor }: ListPartners): Promise<Page<PartnerView>> {
    const list = ['partners'];
    const after = decodeCursor(list, cursor, CURSOR_KEY.id) ?? null;
    const rows = await this.database.query(partnerProjection.scan(REGISTRY_PARTITION, after, limit + 1));
    const partners = rows.map(parsePartner);
    const holders = await this.vault.openAll(
      REGISTRY_PARTITION,
      partners.map((partner) => partner.holder),
    );
    return toPage(
      partners.map((partner, i) => ({ partner, holder: holders[i] ?? null })),
      limit,
      list,
      ({ partner }) => partner.uid,
      ({ partner, holder }) => showPartner(partner, holder),
    );
  }
}
