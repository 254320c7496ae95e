import { createReadStream } from 'node:fs';
import type { WitnessKey } from '../checkpoints/cosignature.js';
import type { NoteVerifier } from '../checkpoints/note.js';
import { ImportVerifier } from '../export/import-verifier.js';
import { NotSigned } from '../export/known-notes.js';
import { linesOf } from '../export/lines-of.js';
import { CommandRefused } from '../errors.js';
import { type AddCommands, say } from './context.js';
import { readNotes } from './files.js';
import { collect, collectVerifiers, collectWitnesses } from './options.js';

interface Options {
  readonly verifyOnly?: boolean;
  readonly partial?: boolean;
  readonly vkey: readonly NoteVerifier[];
  readonly checkpoint: readonly string[];
  readonly witness: readonly WitnessKey[];
}

export const addImport: AddCommands = (program) => {
  program
    .command('import <file>')
    .description('verify an export (- for standard input); needs no database and no settings')
    .option('--verify-only', 'verify and import nothing; there is no other way: the log is only ever appended to')
    .option('--vkey <key>', 'a key that signs checkpoints, known from elsewhere (repeatable)', collectVerifiers, [])
    .option(
      '--checkpoint <file>',
      'with --vkey, a signed checkpoint from elsewhere: the file must not be older, nor have another history (repeatable)',
      collect,
      [],
    )
    .option('--witness <key>', 'a witness who must have cosigned every checkpoint (repeatable)', collectWitnesses, [])
    .option('--partial', 'with --vkey too, accept logs that are not complete: an export of a range or of one partner')
    .action(async (file: string, { verifyOnly, partial, vkey, checkpoint, witness }: Options) => {
      if (!verifyOnly) throw new CommandRefused('Nothing can be imported into a ledger; use --verify-only.');
      const notes = await readNotes(checkpoint);
      const verifier = verifierOf(vkey, notes, witness);
      const input = file === '-' ? process.stdin : createReadStream(file);
      for await (const line of linesOf(input)) verifier.take(line);
      const { ok, events, partitions, problems, incomplete, keysFromFile } = verifier.finish();
      problems.forEach((problem) => say(problem));
      incomplete.forEach((origin) => say(`${origin} is not complete: events of it may have been left out`));
      if (keysFromFile) say('The keys are those that the file itself names: give the known ones with --vkey.');
      const whole = incomplete.length === 0 || keysFromFile || partial;
      if (!whole) say('Was a range or one partner asked for? Then give --partial.');
      const counts = `${events} events of ${partitions} partitions, ${problems.length} problems`;
      say(`${ok && whole ? 'OK' : 'NOT OK'}: ${counts}, ${incomplete.length} logs not complete`);
      process.exitCode = ok && whole ? 0 : 1;
    });
};

function verifierOf(
  keys: readonly NoteVerifier[],
  notes: readonly string[],
  witnesses: readonly WitnessKey[],
): ImportVerifier {
  try {
    return new ImportVerifier(keys, notes, witnesses);
  } catch (error) {
    if (error instanceof NotSigned) throw new CommandRefused(error.message);
    throw error;
  }
}
