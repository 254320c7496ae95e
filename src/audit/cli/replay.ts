import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { type Format, format, FORMATS } from '../replay/formats.js';
import { type Line, Replayer, type Until } from '../replay/replayer.js';
import { CommandRefused } from '../errors.js';
import type { AddCommands, CliContext } from './context.js';
import { moment, position, wholeNumber } from './options.js';

interface Options extends Until {
  readonly format: Format;
  readonly partition?: number;
}

export const addReplay: AddCommands = (program, context) => {
  const replay = program
    .command('replay')
    .description('the state at a position or at a moment, from the events alone; changes nothing');
  common(replay.command('balances').description('balances of all accounts'))
    .option('--partition <number>', 'one partition; all of them if absent', wholeNumber)
    .action((options: Options) => {
      if (options.position !== undefined && options.partition === undefined) {
        throw new CommandRefused('A position is one of a partition: name it with --partition.');
      }
      return print(context, options, (replayer) => replayer.balances(options.partition, options));
    });
  common(replay.command('account <uid>').description("one account's history")).action((uid: string, options: Options) =>
    print(context, options, (replayer) => replayer.account(uid, options)),
  );
  common(replay.command('transaction <id>').description("one transaction's story, event by event")).action(
    (id: string, options: Options) => print(context, options, (replayer) => replayer.transaction(id, options)),
  );
};

function common(command: Command): Command {
  return command
    .option('--position <number>', 'up to this position of the partition', position)
    .option('--moment <time>', 'up to this moment, ISO 8601', moment)
    .addOption(new Option('--format <format>', 'how to print').choices(FORMATS).default('table'));
}

async function print(
  { withSession }: CliContext,
  options: Options,
  ask: (replayer: Replayer) => AsyncIterable<Line>,
): Promise<void> {
  await withSession(({ app }) =>
    pipeline(format(ask(app.get(Replayer, { strict: false })), options.format), process.stdout, { end: false }),
  );
}
