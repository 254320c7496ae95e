import { pipeline } from 'node:stream/promises';
import { asText } from '../export/export-format.js';
import { Exporter } from '../export/exporter.js';
import { CommandRefused } from '../errors.js';
import type { AddCommands } from './context.js';
import { writeOutput } from './files.js';
import { filled, position, uuid, wholeNumber } from './options.js';

interface Options {
  readonly partition?: number;
  readonly from?: bigint;
  readonly to?: bigint;
  readonly partner?: string;
  readonly output?: string;
}

export const addExport: AddCommands = (program, { withSession }) => {
  program
    .command('export')
    .description('write events as NDJSON, with the checkpoints and proofs that make them verifiable elsewhere')
    .option('--partition <number>', 'one partition; all of them if absent', wholeNumber)
    .option('--from <position>', 'first position (with --partition)', position)
    .option('--to <position>', 'last position (with --partition)', position)
    .option('--partner <uid>', 'the events of one partner', uuid)
    .option('--output <file>', 'a file instead of standard output', filled)
    .action(async ({ output, ...range }: Options) => {
      if (range.partition === undefined && (range.from !== undefined || range.to !== undefined)) {
        throw new CommandRefused('--from and --to are positions of a partition: name it with --partition.');
      }
      if (range.from !== undefined && range.to !== undefined && range.from > range.to) {
        throw new CommandRefused('--from is after --to: there is nothing between them.');
      }
      await withSession(({ app }) => {
        const lines = asText(app.get(Exporter, { strict: false }).lines(range));
        return output ? writeOutput(output, lines, 0o600) : pipeline(lines, process.stdout, { end: false });
      });
    });
};
