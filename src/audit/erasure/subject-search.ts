import { Injectable } from '@nestjs/common';
import { taxpayer, transactionProjection } from '../../accounts/index.js';
import {
  type EventOf,
  EventLog,
  PersonalDataCodec,
  type RecordedEvent,
  REGISTRY_PARTITION,
  streamOfSubject,
  type SubjectForgotten,
  type SubjectRef,
  SubjectVault,
  toRecorded,
} from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { EntityNotFound } from '../../platform/errors/index.js';
import type { LocatedSubject } from '../domain/forget-subject.decider.js';
import { CommandRefused } from '../errors.js';
import { namesItsSubject, ownerIn, sealedIn, subjectNamedBy } from '../verify/secrets/named-subject.js';
import { LogReader } from '../log/log-reader.js';

/** The log's data about a subject. */
export interface SubjectTraces {
  /** Time of the last event that carries the subject's data, or moved money on one of its accounts; `null` for none. */
  readonly lastEvent: Date | null;
  readonly transactions: readonly string[];
  /** Position up to which the log was read. */
  readonly upTo: bigint;
}

/** A subject, found by a tax number. */
export interface FoundSubject extends LocatedSubject {
  /** Whom its values must name. */
  readonly who: SubjectRef;
}

const NO_TRACES: SubjectTraces = { lastEvent: null, transactions: [], upTo: 0n };
/** Streams of what came in for no transaction of ours. */
const PAYMENT_STREAM = 'payment-';
/** Fewer events than these take a moment to read. */
const CLOSE = 500n;

/** Finds subjects by tax number, and their open transactions and deliveries. */
@Injectable()
export class SubjectSearch {
  constructor(
    private readonly database: Database,
    private readonly codec: PersonalDataCodec,
    private readonly vault: SubjectVault,
    private readonly log: EventLog,
    private readonly reader: LogReader,
  ) {}

  /** A person is another subject to each partner: one tax number may be several. */
  async find(taxNumber: string, partnerUid: string | undefined): Promise<FoundSubject[]> {
    const found: FoundSubject[] = [];
    for (const { uid, home } of await this.#partners(partnerUid)) {
      const who = taxpayer(uid, taxNumber);
      const lookup = this.codec.lookupOf(who);
      for (const partition of new Set([REGISTRY_PARTITION, home])) {
        const rows = await this.database.query<{ subject: string }>({
          name: 'subject-by-lookup',
          text: 'select subject from subject_key where partition = $1 and lookup = $2',
          values: [partition, lookup],
        });
        found.push(...rows.map(({ subject }) => ({ partition, subject, partnerUid: uid, who })));
      }
    }
    if (partnerUid === undefined) found.push(...(await this.#ofNoPartner(taxNumber)));
    return found;
  }

  /** Who paid for no transaction of ours: no look-up is by their tax number, so that the whole log is read for it. */
  async #ofNoPartner(taxNumber: string): Promise<FoundSubject[]> {
    const found: FoundSubject[] = [];
    for (const [partition, head] of await this.log.heads()) {
      for await (const page of this.reader.pages(partition, 0n, head)) {
        const events = page.filter(({ stream }) => stream.startsWith(PAYMENT_STREAM)).map(toRecorded);
        const payers = events.flatMap((event) =>
          sealedIn(event).flatMap(({ sealed, member }) => (namesItsSubject(member) ? { event, sealed } : [])),
        );
        const values = await this.vault.openAll(
          partition,
          payers.map(({ sealed }) => sealed),
        );
        for (const [i, { event, sealed }] of payers.entries()) {
          const value = values[i] as { readonly taxNumber?: string } | null;
          const who = value?.taxNumber === taxNumber ? subjectNamedBy(event, value, undefined) : undefined;
          if (who) found.push({ partition, subject: sealed.subject, who });
        }
      }
    }
    return found;
  }

  /**
   * Subjects whose key is destroyed while partition 0 does not know: `forget` ended between the two. Whose tax number
   * it was cannot be told without the key, so these are all of the partitions where the person is looked for.
   */
  async halfForgotten(partnerUid: string | undefined): Promise<LocatedSubject[]> {
    const partners = await this.#partners(partnerUid);
    const told = new Set(await this.#forgotten(REGISTRY_PARTITION));
    const found: LocatedSubject[] = [];
    for (const partition of new Set(partners.map(({ home }) => home))) {
      for (const subject of await this.#forgotten(partition)) {
        if (told.has(subject)) continue;
        const owner = await this.#ownerOf(partition, subject);
        // Of no partner, who are no partner's to complete.
        if (owner === null && partnerUid === undefined) found.push({ partition, subject });
        const partner = partners.find((one) => one.uid === owner);
        if (partner) found.push({ partition, subject, partnerUid: partner.uid });
      }
    }
    return found;
  }

  /**
   * Scans the partition's log: erasure is rare, and nothing is indexed by subject. Events appended meanwhile are read
   * too, so that the result is recent.
   * @throws CommandRefused where its values name somebody else
   * @param earlier traces of the same subject, from which the scan continues
   */
  async traces(subject: FoundSubject, earlier = NO_TRACES): Promise<SubjectTraces> {
    for (let traces = earlier; ;) {
      const head = (await this.log.heads()).get(subject.partition) ?? 0n;
      const close = head - traces.upTo < CLOSE;
      traces = await this.#readOn(subject, traces, head);
      if (close) return traces;
    }
  }

  async #readOn(located: FoundSubject, earlier: SubjectTraces, head: bigint): Promise<SubjectTraces> {
    const { partition, subject } = located;
    const accounts = await this.database.query<{ uid: string }>({
      text: `select uid from account where partition = $1 and holder->>'subject' = $2`,
      values: [partition, subject],
    });
    const names = [subject, ...accounts.map(({ uid }) => uid)];
    const transactions = new Set(earlier.transactions);
    let { lastEvent } = earlier;
    for await (const page of this.reader.pages(partition, earlier.upTo, head)) {
      for (const event of page) {
        if (!names.some((name) => event.data.includes(name))) continue;
        lastEvent = event.time;
        const recorded = toRecorded(event);
        await this.#assertNames(located, recorded);
        for (const id of transactionProjection.keysOf(recorded)) transactions.add(id);
      }
    }
    return { lastEvent, transactions: [...transactions], upTo: head };
  }

  /** Rows of keys may have been swapped for a moment: a key that is destroyed is so for good. */
  async #assertNames({ partition, subject, partnerUid, who }: FoundSubject, event: RecordedEvent) {
    for (const { sealed, member } of sealedIn(event)) {
      if (sealed.subject !== subject || !namesItsSubject(member)) continue;
      const value = await this.vault.open(partition, sealed);
      const named = value === null ? undefined : subjectNamedBy(event, value, ownerIn(event).partner ?? partnerUid);
      if (!named || named.clear === who.clear) continue;
      throw new CommandRefused(
        `Partition ${partition}: subject ${subject}, found by this tax number, is somebody else. Run verify --deep.`,
      );
    }
  }

  /**
   * How many of the transactions are not final, and how many of their deliveries are still pending. They must end
   * before a subject is forgotten: payments in progress need the payee's data, and so do their webhooks.
   */
  async open(
    partition: number,
    transactions: readonly string[],
  ): Promise<{ transactions: number; deliveries: number }> {
    const [row] = await this.database.query<{ transactions: number; deliveries: number }>({
      name: 'erasure-open-matters',
      text: `
        select
          (select count(*)::int from transaction
           where partition = $1 and id = any($2::uuid[]) and state = 'Registered') as transactions,
          (select count(*)::int from webhook_delivery
           where partition = $1 and transaction_id = any($2::uuid[]) and status in ('Pending', 'Retrying')) as deliveries`,
      values: [partition, transactions],
    });
    return row!;
  }

  /** @throws EntityNotFound for an unknown partner */
  async #partners(uid: string | undefined): Promise<{ uid: string; home: number }[]> {
    const found = await this.database.query<{ uid: string; home: number }>({
      text: `select uid, home_partition as home from partner where partition = $1 and ($2::uuid is null or uid = $2)`,
      values: [REGISTRY_PARTITION, uid ?? null],
    });
    if (uid !== undefined && found.length === 0) throw new EntityNotFound('PartnerEntity', 'uid', uid);
    return found;
  }

  async #forgotten(partition: number): Promise<string[]> {
    const rows = await this.database.query<{ subject: string }>({
      name: 'subjects-forgotten',
      text: 'select subject from forgotten_subject where partition = $1',
      values: [partition],
    });
    return rows.map(({ subject }) => subject);
  }

  /**
   * Whose subject it was, by the event that destroyed its key: `null` for no partner's, `undefined` for a row without
   * an event, of which `verify` tells.
   */
  async #ownerOf(partition: number, subject: string): Promise<string | null | undefined> {
    const events = await this.log.readStream(partition, streamOfSubject(subject), 0, 1);
    const [event] = events as EventOf<typeof SubjectForgotten>[];
    // Older events have it in their metadata only.
    return event && (event.data.partnerUid ?? event.metadata.correlation ?? null);
  }
}
