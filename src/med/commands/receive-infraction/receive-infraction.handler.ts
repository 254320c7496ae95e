import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import { accountProjection, holdProjection, Registry, transactionProjection } from '../../../accounts/index.js';
import { Ledger, newId, personal } from '../../../event-store/index.js';
import {
  type CashInDetails,
  detailsOf,
  INFRACTION_RAIL,
  type InfractionRail,
  type LocatedTransaction,
  PixTransactions,
  railActor,
  type ReportedInfraction,
  sentOver,
} from '../../../pix/index.js';
import { type CaseAppend, Cases, type LocatedCase } from '../../cases.js';
import { cancelInfraction, decideInfraction, reportInfraction } from '../../domain/infraction.decider.js';
import { type Infraction, isRunning, isUndecided } from '../../domain/infraction.js';
import { MedMetrics } from '../../med-metrics.js';
import { ReturnsOfRail } from '../../returns-of-rail.js';
import { ReceiveInfraction } from './receive-infraction.command.js';

const MAX_TOLD = 10_000;

/** One case for each report, by the rail's identifier. */
@CommandHandler(ReceiveInfraction)
export class ReceiveInfractionHandler implements ICommandHandler<ReceiveInfraction> {
  readonly #logger = new Logger(ReceiveInfractionHandler.name);
  /** Unmatched reports that were counted: sweeps ask for them again. */
  readonly #told = new LRUCache<string, true>({ max: MAX_TOLD });

  constructor(
    private readonly ledger: Ledger,
    private readonly cases: Cases,
    private readonly transactions: PixTransactions,
    private readonly registry: Registry,
    private readonly metrics: MedMetrics,
    private readonly returns: ReturnsOfRail,
    @Inject(INFRACTION_RAIL) private readonly rail: InfractionRail,
  ) {}

  async execute({ reported }: ReceiveInfraction): Promise<boolean> {
    const { railId, endToEndId, state } = reported;
    const deposit = await this.transactions.depositPaidBy(endToEndId);
    if (deposit?.transaction.state !== 'Completed') {
      this.#unmatched(reported);
      return false;
    }
    const { partition } = deposit;
    let known = await this.cases.byRailId(partition, railId);
    const isNews = state === 'Open' || (state === 'Agreed' && this.#railDecides);
    if (!known && isNews) {
      await this.#open(deposit, reported);
      known = await this.cases.byRailId(partition, railId);
    }
    if (known && known.infraction.endToEndId === endToEndId) await this.#follow(known, reported);
    else if (known)
      this.#logger.error({ railId, endToEndId }, 'the rail gives a report another payment; its case stays');
    return true;
  }

  #unmatched({ railId, endToEndId }: ReportedInfraction): void {
    if (this.#told.has(railId)) return;
    this.#told.set(railId, true);
    this.metrics.unmatched();
    this.#logger.error({ railId, endToEndId }, 'a report of an infraction is about no completed deposit of ours');
  }

  async #open(deposit: LocatedTransaction, reported: ReportedInfraction): Promise<void> {
    const { partition, accountUid, transaction } = deposit;
    const { owner } = await this.registry.facts(accountUid);
    const [id, holdId] = [newId(partition), newId(partition)];
    const details = reported.details ? personal(owner, reported.details) : undefined;
    const logged = await this.cases.deposit(transaction.id);
    if (logged.endToEndId !== reported.endToEndId) {
      throw new Error(`deposit ${transaction.id}: its row has another endToEndId than its events make`);
    }
    const left = await this.cases.leftOf(logged, reported.amount);
    const caution = detailsOf<CashInDetails>(transaction).hold;
    await this.ledger.execute({
      partition,
      reads: {
        accounts: [accountUid],
        transactions: [transaction.id],
        ...(caution && { holds: [caution.id] }),
      },
      creates: { infractions: [id], holds: [holdId] },
      subjects: details && [owner],
      decide: (rows, at) =>
        reportInfraction(
          {
            deposit: rows.of(transactionProjection).get(transaction.id)!,
            account: rows.of(accountProjection).get(accountUid)!,
            caution: caution && rows.of(holdProjection).get(caution.id),
            left,
          },
          reported,
          { id, holdId, reportedOver: sentOver(this.rail), details },
          at,
        ),
      metadata: { actor: this.#actor, correlation: id },
      idempotency: { scope: 'rail-infraction', key: reported.railId, request: reported.railId },
    });
  }

  /** Of a rail that only passes on what was decided here, no decision is news. */
  async #follow(known: LocatedCase, { state }: ReportedInfraction): Promise<void> {
    if (state === 'Cancelled' && isRunning(known.infraction)) {
      await this.returns.recordLast(known);
      await this.#append(known, cancelInfraction);
    }
    if (!this.#railDecides || (state !== 'Agreed' && state !== 'Rejected')) return;
    if (!isUndecided(known.infraction)) return this.#compare(known.infraction, state);
    await this.#append(known, (current, at) =>
      isUndecided(current.infraction) ? decideInfraction(current, { result: state }, at) : [],
    );
  }

  /**
   * A decision stays, as its money has moved: what the rail gives back after all, only the comparison of the day has.
   */
  #compare({ id, railId, status, agreed }: Infraction, told: 'Agreed' | 'Rejected'): void {
    if (status === 'Closed' || (agreed !== null) === (told === 'Agreed')) return;
    this.#logger.error(
      { case: id, railId, status, told },
      'the rail decides about a report that was decided otherwise',
    );
  }

  #append(known: LocatedCase, decide: CaseAppend['decide']) {
    return this.cases.append(known, { actor: this.#actor, decide }, (append) => this.ledger.execute(append));
  }

  get #railDecides(): boolean {
    return this.rail.capabilities.decidedBy === 'Rail';
  }

  get #actor(): string {
    return railActor(this.rail);
  }
}
