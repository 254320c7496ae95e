import { Injectable } from '@nestjs/common';
import { LookupKey, REGISTRY_PARTITION, type Sealed, SubjectVault } from '../event-store/index.js';
import { Database } from '../platform/database/index.js';
import type { PartnerHolder } from './domain/partner.events.js';
import { taxpayer } from './domain/subjects.js';

/** Partners that are tried: one whose row was damaged is no proof against the key. */
const TRIED = 20;

/** Proves the key of look-ups by partners: it finds one's holder, or no holder can be opened to tell. */
@Injectable()
export class LookUpProof {
  constructor(
    lookupKey: LookupKey,
    private readonly database: Database,
    private readonly vault: SubjectVault,
  ) {
    lookupKey.provenBy(() => this.#isProven());
  }

  async #isProven(): Promise<boolean> {
    const partners = await this.database.query<{ uid: string; holder: Sealed<PartnerHolder> }>({
      text: `select uid, holder from partner where partition = $1 limit ${TRIED}`,
      values: [REGISTRY_PARTITION],
    });
    const holders = partners.map(({ holder }) => holder);
    const opened = await this.vault.openAll(REGISTRY_PARTITION, holders);
    const named = partners.flatMap(({ uid }, at) => (opened[at] ? [taxpayer(uid, opened[at].taxNumber)] : []));
    if (named.length === 0) return true;
    const found = await this.vault.withKeys(REGISTRY_PARTITION, named);
    return holders.some(({ subject }) => found.includes(subject));
  }
}
