import type { NoteVerifier } from '../checkpoints/note.js';
import { besideNoRotation } from '../erasure/key-rotation.js';
import { toJson, toText } from '../verify/render-report.js';
import { Verifier } from '../verify/verifier.js';
import { type AddCommands, say } from './context.js';
import { readNotes, writeOutput } from './files.js';
import { collect, collectVerifiers, filled, wholeNumber } from './options.js';
import { progressBar, progressLines } from './progress-bar.js';

interface Options {
  readonly json?: boolean;
  readonly output?: string;
  readonly checkpoint: readonly string[];
  readonly vkey: readonly NoteVerifier[];
  readonly budget?: number;
  readonly progress?: boolean;
  readonly deep?: boolean;
}

export const addVerify: AddCommands = (program, { withSession }) => {
  program
    .command('verify')
    .description('check every event, root, checkpoint, posting, projection and idempotency result; changes nothing')
    .option('--json', 'print the report as JSON instead of text')
    .option('--output <file>', 'write the report as JSON to a file too', filled)
    .option(
      '--checkpoint <file>',
      'a signed checkpoint kept elsewhere, to hold the log against (repeatable)',
      collect,
      [],
    )
    .option('--vkey <key>', 'a key that signed older checkpoints (repeatable)', collectVerifiers, [])
    .option('--budget <rows>', 'rows of one projection in memory; the rest goes to temporary files', wholeNumber)
    .option('--deep', 'open every sealed personal value, not one of each person')
    .option('--progress', 'write progress to standard error as lines of JSON: {"done","total"} events')
    .action(async ({ json, output, checkpoint, vkey, budget, progress, deep }: Options) => {
      const notes = await readNotes(checkpoint);
      const bar = progress ? progressLines() : progressBar('verify');
      const report = await withSession(({ app, databaseUrl }) =>
        besideNoRotation(databaseUrl, () =>
          app
            .get(Verifier, { strict: false })
            .verify({ databaseUrl, notes, verifiers: vkey, budget, deep, onProgress: bar.update }),
        ),
      ).finally(() => bar.end());
      // Before anything is written: what cannot be written makes it 2.
      process.exitCode = report.ok ? 0 : 1;
      // Printed first: a file that cannot be written does not cost what took hours to find.
      say(json ? toJson(report) : toText(report));
      if (output) await writeOutput(output, [toJson(report)]);
    });
};
