import { createWriteStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { replaceFile } from '../../platform/replace-file.js';
import { parseCheckpoint } from '../checkpoints/note.js';
import { CommandRefused } from '../errors.js';

/** The text of a file that an option names. @throws CommandRefused */
export async function readGiven(option: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandRefused(`${option} ${file}: ${error.message}`);
  });
}

/** Signed checkpoints that `--checkpoint` names. @throws CommandRefused */
export function readNotes(files: readonly string[]): Promise<string[]> {
  return Promise.all(
    files.map(async (file) => {
      const note = await readGiven('--checkpoint', file);
      try {
        parseCheckpoint(note);
      } catch (error) {
        throw new CommandRefused(`--checkpoint ${file}: ${(error as Error).message}`);
      }
      return note;
    }),
  );
}

/**
 * Writes what `--output` asks for. It takes the place of an earlier file once it is whole: where it cannot be had, the
 * earlier one stays. A device or a pipe gets it as it comes.
 */
export async function writeOutput(
  output: string,
  text: Iterable<string> | AsyncIterable<string>,
  mode = 0o666,
): Promise<void> {
  const isFile = await stat(output).then(
    (found) => found.isFile(),
    () => true,
  );
  if (!isFile) return pipeline(text, createWriteStream(output));
  const path = await realpath(output).catch(() => output);
  await replaceFile(path, (draft) => pipeline(text, createWriteStream(draft, { flags: 'wx', mode, flush: true })));
}
