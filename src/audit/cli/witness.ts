import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NoteVerifier } from '../checkpoints/note.js';
import { WitnessLog } from '../checkpoints/witness-log.js';
import { CommandRefused } from '../errors.js';
import { type AddCommands, say } from './context.js';
import { collectVerifiers, filled, keyName, port as parsePort } from './options.js';

/** A checkpoint with its proof is a few thousand bytes. */
const MAX_BODY = 65_536;

interface Options {
  readonly vkey: readonly NoteVerifier[];
  readonly folder: string;
  readonly name: string;
  readonly port: number;
}

export const addWitness: AddCommands = (program) => {
  program
    .command('witness')
    .description(
      'a small witness, for trying: cosigns checkpoints and remembers them; needs no database and no settings',
    )
    .option(
      '--vkey <key>',
      'a key of a log that it is a witness of, as `verifier-key` prints it (repeatable)',
      collectVerifiers,
      [],
    )
    .option('--folder <folder>', 'where it keeps its key and what it has seen', filled, 'witness')
    .option('--name <name>', 'its name', keyName, 'witness.example/1')
    .option('--port <port>', 'at 127.0.0.1; 0: a free one', parsePort, 8090)
    .action(async ({ vkey, folder, name, port }: Options) => {
      if (vkey.length === 0) throw new CommandRefused('Of which logs? Give --vkey, one for each.');
      const log = await WitnessLog.open(folder, name, vkey);
      const server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        request.on('data', (chunk: Buffer) => {
          if ((length += chunk.length) > MAX_BODY) request.destroy();
          else chunks.push(chunk);
        });
        request.on('end', () => {
          if (request.method !== 'POST' || request.url !== '/add-checkpoint') return void response.writeHead(404).end();
          log.add(Buffer.concat(chunks).toString()).then(
            ({ status, text }) => {
              const type = status === 409 ? 'text/x.tlog.size' : 'text/plain; charset=utf-8';
              response.writeHead(status, { 'content-type': type }).end(text);
            },
            (error: unknown) => {
              process.stderr.write(`${String(error)}\n`);
              response.writeHead(500).end();
            },
          );
        });
      });
      await once(server.listen(port, '127.0.0.1'), 'listening');
      say(`CHECKPOINT_WITNESS_URL=http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      say(`CHECKPOINT_WITNESS_KEY=${log.publicText}`);
    });
};
