import { provesKeyPepper } from '../../auth/index.js';
import { assertKeys, type RunStatement, Subscriptions } from '../../event-store/index.js';
import { laterMigrations } from '../../platform/database/index.js';
import { readHeads } from '../verify/log/log-state.js';
import { CommandRefused } from '../errors.js';
import { type AddCommands, type CliSession, say } from './context.js';
import { moment } from './options.js';

export const addSealDeliveries: AddCommands = (program, { withSession }) => {
  program
    .command('seal-deliveries')
    .description('seal what versions before left without a seal, as it is: once, after the upgrade to one that seals')
    .requiredOption('--before <time>', 'when the last process of a version before had ended, ISO 8601', moment)
    .action(({ before }: { before: Date }) => withSession((session) => sealDeliveries(session, before)));
};

async function sealDeliveries({ app, config, database }: CliSession, before: Date): Promise<void> {
  if (before > new Date()) throw new CommandRefused('--before is in the future: give when that process had ended.');
  // Refused where the database lacks a migration.
  await laterMigrations(database);
  await assertKeys(database, { KEY_PEPPER: config.secrets.keyPepper }, { KEY_PEPPER: provesKeyPepper });
  const followers = app.get(Subscriptions, { strict: false }).all();
  const run: RunStatement = (statement) => database.backgroundQuery(statement);
  let count = 0;
  for (const { partition } of await readHeads(database)) {
    const [newest] = await database.backgroundQuery<{ position: string }>({
      name: 'newest-position-before',
      text: 'select position from event where partition = $1 and time < $2 order by position desc limit 1',
      values: [partition, before],
    });
    if (!newest) continue;
    for (const { keeps } of followers) {
      count += (await keeps?.seal?.(run, partition, BigInt(newest.position))) ?? 0;
    }
  }
  say(`${count} deliveries are sealed as they are.`);
}
