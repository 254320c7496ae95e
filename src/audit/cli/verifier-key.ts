import { Partitions } from '../../event-store/index.js';
import { CheckpointKey } from '../checkpoints/checkpoint-key.js';
import { type AddCommands, say } from './context.js';

export const addVerifierKey: AddCommands = (program, { withSession }) => {
  program
    .command('verifier-key')
    .description('print the keys that checkpoints are verified with, one a partition: give them to auditors')
    .action(() =>
      withSession(({ app }) => {
        const key = app.get(CheckpointKey, { strict: false });
        const partitions = app.get(Partitions, { strict: false }).all();
        say(partitions.map((partition) => key.publicTextOf(partition)).join('\n'));
        return Promise.resolve();
      }),
    );
};
