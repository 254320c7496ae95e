import { setTimeout as pause } from 'node:timers/promises';
import { LookupKey } from '../../event-store/index.js';
import { parseTaxNumber } from '../../platform/tax-number.js';
import { ForgetSubject } from '../commands/forget-subject/forget-subject.command.js';
import { ForgetSubjectHandler } from '../commands/forget-subject/forget-subject.handler.js';
import type { LocatedSubject } from '../domain/forget-subject.decider.js';
import { assertRetentionOver } from '../domain/retention.js';
import { whileKeyStays } from '../erasure/key-rotation.js';
import { type FoundSubject, SubjectSearch, type SubjectTraces } from '../erasure/subject-search.js';
import { CommandRefused } from '../errors.js';
import { assertOwnVersion } from '../own-version.js';
import { type AddCommands, type CliSession, say } from './context.js';
import { uuid } from './options.js';

interface Options {
  readonly taxNumber: string;
  readonly partner?: string;
  readonly wait: boolean;
}

/** Reads what the log has about a subject now. @throws RetentionPeriodRuns */
type ReadTraces = (subject: FoundSubject, earlier?: SubjectTraces) => Promise<SubjectTraces>;

const POLL_MS = 1_000;
const ACTOR = 'operator:ledger-cli';

export const addForget: AddCommands = (program, { withSession }) => {
  program
    .command('forget')
    .description("destroy a data subject's keys: everything personal of theirs becomes unreadable, for good")
    .requiredOption('--tax-number <number>', 'CPF or CNPJ of the subject')
    .option(
      '--partner <uid>',
      'only as this partner knows the subject; all partners, and payments for no transaction, if absent',
      uuid,
    )
    .option('--no-wait', 'fail instead of waiting for open transactions and deliveries')
    .action((options: Options) =>
      withSession(async (session) => {
        const { database, databaseUrl, config } = session;
        await assertOwnVersion(database, 'forget', 'leave what it does not know');
        const { masterKey } = config.secrets;
        await whileKeyStays({ database, databaseUrl, masterKey }, () => forget(session, options));
      }),
    );
};

async function forget({ app, config }: CliSession, { taxNumber, partner, wait }: Options): Promise<void> {
  const find = <T>(type: new (...args: never[]) => T) => app.get<T>(type, { strict: false });
  const parsed = parseTaxNumber(taxNumber);
  if (!parsed) throw new CommandRefused('This is no CPF or CNPJ.');
  await find(LookupKey).onModuleInit();
  const search = find(SubjectSearch);
  // The bus has no handlers here: those are registered at initialisation, which would also start the followers.
  const handler = find(ForgetSubjectHandler);
  const half = await search.halfForgotten(partner);
  // Nothing is checked again: their keys are destroyed.
  for (const subject of half) {
    await handler.execute(new ForgetSubject(subject, ACTOR));
    say(`${nameOf(subject)} was forgotten by an earlier run that did not end: caches are told now`);
  }
  const subjects = await search.find(parsed.value, partner);
  if (subjects.length === 0) {
    // After a run that did not end this is its repetition, which has done what was left to do.
    if (half.length === 0) throw new CommandRefused('Nobody is known by this tax number, or not any more.');
    say('Nobody else is known by this tax number, or not any more.');
  }
  const read: ReadTraces = async (subject, earlier) => {
    const traces = await search.traces(subject, earlier);
    assertRetentionOver(traces.lastEvent, config.retentionYears, new Date());
    return traces;
  };
  const seen = new Map<FoundSubject, SubjectTraces>();
  for (const subject of subjects) seen.set(subject, await read(subject));
  // Nothing is destroyed of a person about whom anything is open, whichever of their subjects it is.
  for (const [subject, traces] of seen) seen.set(subject, await untilClosed(search, read, subject, traces, wait));
  for (const [subject, traces] of seen) {
    await untilClosed(search, read, subject, traces, wait);
    await handler.execute(new ForgetSubject(subject, ACTOR));
    say(`${nameOf(subject)} is forgotten`);
  }
}

function nameOf({ partition, subject, partnerUid }: LocatedSubject): string {
  return `partition ${partition}: subject ${subject} of ${partnerUid ? `partner ${partnerUid}` : 'no partner'}`;
}

/** Reads again until nothing is open, so that the caller acts on recent data. @returns what was read last */
async function untilClosed(
  search: SubjectSearch,
  read: ReadTraces,
  subject: FoundSubject,
  seen: SubjectTraces,
  wait: boolean,
): Promise<SubjectTraces> {
  for (let traces = seen; ;) {
    traces = await read(subject, traces);
    const { transactions, deliveries } = await search.open(subject.partition, traces.transactions);
    if (transactions + deliveries === 0) return traces;
    const what = `${transactions} open transactions and ${deliveries} deliveries`;
    if (!wait) throw new CommandRefused(`There are ${what} about this subject.`);
    process.stderr.write(`waiting for ${what}\n`);
    await pause(POLL_MS);
  }
}
