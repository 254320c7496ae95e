import { type DynamicModule, Module } from '@nestjs/common';
import { Backlog } from './backlog.js';
import { BacklogMetrics } from './backlog-metrics.js';
import { EventLog } from './log/event-log.js';
import { LeasedWork } from './work/leased-work.js';
import { CommandSpans } from './group-commit/command-spans.js';
import { KeyedCommands } from './group-commit/keyed-commands.js';
import { Lanes } from './group-commit/lanes.js';
import { Ledger } from './group-commit/ledger.js';
import { RareCommands } from './group-commit/rare-commands.js';
import { RequestsOfMany } from './group-commit/requests-of-many.js';
import { RegistryTail } from './registry/registry-tail.js';
import { LookupKey } from './subjects/lookup-key.js';
import { EventStoreMetrics } from './metrics.js';
import { CaughtUp } from './followers/caught-up.js';
import { Notifier } from './followers/notifier.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from './options.js';
import { Partitions } from './log/partitions.js';
import { PersonalDataCodec } from './subjects/personal-data-codec.js';
import { InlineProjections } from './group-commit/inline-projections.js';
import { RecentEvents } from './log/recent-events.js';
import { StoredSecrets } from './subjects/stored-secrets.js';
import { SubjectVault } from './subjects/subject-vault.js';
import { Subscriptions } from './followers/subscriptions.js';
import { WakeUp } from './log/wake-up.js';
import { WholeStreams } from './log/whole-streams.js';
import { AwaitedCommands } from './group-commit/awaited-commands.js';
import { StandingWork } from './work/standing-work.js';
import { DispatchQueue } from './work/dispatch-queue.js';
import { WorkTable } from './work/work-table.js';
import { Readiness } from '../platform/health/readiness.js';

const parts = [
  AwaitedCommands,
  Backlog,
  CaughtUp,
  DispatchQueue,
  EventLog,
  InlineProjections,
  KeyedCommands,
  LeasedWork,
  Ledger,
  LookupKey,
  Partitions,
  RareCommands,
  RegistryTail,
  StandingWork,
  StoredSecrets,
  SubjectVault,
  Subscriptions,
  WakeUp,
  WholeStreams,
  WorkTable,
];

/** The event store. It knows no module: modules register their projections and followers with it. */
@Module({})
export class EventStoreModule {
  constructor(readiness: Readiness, tail: RegistryTail, lanes: Lanes, partitions: Partitions) {
    readiness.register(async () => {
      const followed = await tail.freshen().catch(() => undefined);
      return followed === undefined ? 'the registry cannot be followed' : undefined;
    });
    readiness.register(() => partitions.problem);
    readiness.partitionsAway = () => partitions.unreachable();
    readiness.register(() => lanes.problem);
  }

  static forRoot(options: EventStoreOptions): DynamicModule {
    return {
      module: EventStoreModule,
      global: true,
      providers: [
        ...parts,
        BacklogMetrics,
        CommandSpans,
        EventStoreMetrics,
        Lanes,
        Notifier,
        RecentEvents,
        RequestsOfMany,
        { provide: EVENT_STORE_OPTIONS, useValue: options },
        { provide: PersonalDataCodec, useValue: new PersonalDataCodec(options.masterKey) },
      ],
      exports: [...parts, PersonalDataCodec],
    };
  }
}
