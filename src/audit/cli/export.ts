import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { Exporter } from '../export/exporter.js';
import { CommandRefused } from '../errors.js';
import type { AddCommands } from './context.js';
import { position, wholeNumber } from './options.js';

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
    .option('--partner <uid>', 'the events of one partner')
    .option('--output <file>', 'a file instead of standard output')
    .action(async ({ output, ...range }: Options) => {
      if (range.partition === undefined && (range.from !== undefined || range.to !== undefined)) {
        throw new CommandRefused('--from and --to are positions of a partition: name it with --partition.');
      }
      const out = output ? createWriteStream(output, { mode: 0o600 }) : process.stdout;
      await withSession(async ({ app }) => {
        for await (const line of app.get(Exporter, { strict: false }).lines(range)) {
          if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain');
        }
      });
      if (output) await finished(out.end());
    });
};
