import { readFile } from 'node:fs/promises';

/** A fenced block of a document. */
export interface Block {
  /** The first word after the fence: `bash`, `ts`, `json` … */
  readonly language: string;
  /** What follows it: the name of the file that the block is. */
  readonly info: string;
  readonly text: string;
}

/** The fenced blocks of a document, in order. */
export async function blocksOf(file: string): Promise<Block[]> {
  const page = await readFile(file, 'utf8');
  return [...page.matchAll(/^```(\S+)(?: (.+))?\n([\s\S]*?)^```$/gm)].map(([, language, info = '', text]) => ({
    language: language!,
    info,
    text: text!,
  }));
}
