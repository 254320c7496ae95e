import { type DynamicModule, Module } from '@nestjs/common';
import { EventLog } from './event-log.js';
import { Ledger } from './ledger.js';
import { LogTail } from './log-tail.js';
import { EventStoreMetrics } from './metrics.js';
import { Notifier } from './notifier.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from './options.js';
import { PersonalDataCodec } from './personal-data.js';
import { InlineProjections } from './projections.js';
import { SubjectVault } from './subject-vault.js';
import { Subscriptions } from './subscriptions.js';
import { WakeUp } from './wake-up.js';

const parts = [EventLog, Ledger, LogTail, InlineProjections, SubjectVault, Subscriptions];

/** The kernel. It knows no business words: modules register their projections and followers with it. */
@Module({})
export class EventStoreModule {
  static forRoot(options: EventStoreOptions): DynamicModule {
    return {
      module: EventStoreModule,
      global: true,
      providers: [
        ...parts,
        EventStoreMetrics,
        Notifier,
        WakeUp,
        { provide: EVENT_STORE_OPTIONS, useValue: options },
        { provide: PersonalDataCodec, useValue: new PersonalDataCodec(options.masterKey) },
      ],
      exports: [...parts, PersonalDataCodec],
    };
  }
}
