import { type DynamicModule, Module } from '@nestjs/common';
import { BacklogMetrics } from './backlog-metrics.js';
import { EventLog } from './event-log.js';
import { LeasedWork } from './leased-work.js';
import { Ledger } from './ledger.js';
import { LogTail } from './log-tail.js';
import { LookupKey } from './lookup-key.js';
import { EventStoreMetrics } from './metrics.js';
import { Notifier } from './notifier.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from './options.js';
import { Partitions } from './partitions.js';
import { PersonalDataCodec } from './personal-data.js';
import { InlineProjections } from './projections.js';
import { RecentEvents } from './recent-events.js';
import { SubjectVault } from './subject-vault.js';
import { Subscriptions } from './subscriptions.js';
import { WakeUp } from './wake-up.js';
import { WorkLine } from './work-line.js';
import { WorkTable } from './work-table.js';
import { Readiness } from '../platform/health/readiness.js';

const parts = [
  EventLog,
  InlineProjections,
  LeasedWork,
  Ledger,
  LogTail,
  LookupKey,
  Partitions,
  SubjectVault,
  Subscriptions,
  WakeUp,
  WorkLine,
  WorkTable,
];

/** The kernel. It knows no business words: modules register their projections and followers with it. */
@Module({})
export class EventStoreModule {
  constructor(readiness: Readiness, tail: LogTail, ledger: Ledger, partitions: Partitions) {
    readiness.register(() => (tail.canServe ? undefined : 'the registry cannot be followed'));
    readiness.register(() => partitions.problem);
    readiness.partitionsAway = () => partitions.away();
    readiness.register(() => ledger.problem);
  }

  static forRoot(options: EventStoreOptions): DynamicModule {
    return {
      module: EventStoreModule,
      global: true,
      providers: [
        ...parts,
        BacklogMetrics,
        EventStoreMetrics,
        Notifier,
        RecentEvents,
        { provide: EVENT_STORE_OPTIONS, useValue: options },
        { provide: PersonalDataCodec, useValue: new PersonalDataCodec(options.masterKey) },
      ],
      exports: [...parts, PersonalDataCodec],
    };
  }
}
