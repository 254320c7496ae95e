import { Inject, Injectable } from '@nestjs/common';
import { Ledger, REGISTRY_PARTITION, SubjectForgotten, SubjectVault } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { OperationError } from '../../platform/errors/index.js';
import { type FoundSubject, SubjectSearch, type SubjectTraces } from './subject-search.js';

/** 422: the law still wants the data kept. */
export class RetentionPeriodRuns extends OperationError {
  constructor(until: Date, years: number) {
    const day = until.toISOString().slice(0, 10);
    super('RetentionPeriodRuns', `The data must be kept until ${day} (RETENTION_YEARS is ${years}).`, { until: day });
  }
}

export interface OpenMatters {
  readonly transactions: number;
  readonly deliveries: number;
}

/** Forgets data subjects: their keys are destroyed, and with them everything personal, wherever it stands. */
@Injectable()
export class Eraser {
  constructor(
    private readonly ledger: Ledger,
    private readonly search: SubjectSearch,
    private readonly vault: SubjectVault,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * What the log has about a subject now.
   * @param earlier what an earlier look at the same subject found: it goes on from there
   * @throws RetentionPeriodRuns while the years since the subject's last event have not passed
   */
  async look(subject: FoundSubject, earlier?: SubjectTraces): Promise<SubjectTraces> {
    const traces = await this.search.traces(subject, earlier);
    const years = this.config.retentionYears;
    if (!traces.lastEvent || years === 0) return traces;
    const until = new Date(traces.lastEvent);
    until.setUTCFullYear(until.getUTCFullYear() + years);
    if (until > new Date()) throw new RetentionPeriodRuns(until, years);
    return traces;
  }

  /** What must end first: payments under way need the payee's data, and so do the messages about them. */
  openMatters({ partition }: FoundSubject, { transactions }: SubjectTraces): Promise<OpenMatters> {
    return this.search.open(partition, transactions);
  }

  /**
   * Destroys the key in the commit that records it, then tells partition 0, which caches follow. Looks at nothing: that
   * is done right before.
   */
  async forget({ partition, subject, partnerUid }: FoundSubject, actor: string): Promise<void> {
    for (const where of new Set([partition, REGISTRY_PARTITION])) {
      await this.ledger.execute({
        partition: where,
        reads: { forgottenSubjects: [subject] },
        decide: (rows) =>
          rows.of('forgottenSubjects').has(subject)
            ? []
            : [SubjectForgotten.create(`subject-${subject}`, 1, { subject, partition, partnerUid })],
        metadata: { actor, correlation: partnerUid },
      });
    }
    this.vault.clear();
  }
}
