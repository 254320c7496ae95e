import { readFile } from 'node:fs/promises';
import { assertKeys, LookupKey, PersonalDataCodec } from '../../event-store/index.js';
import { rotateMasterKey } from '../erasure/key-rotation.js';
import { CommandRefused } from '../errors.js';
import { type AddCommands, AS_OWNER, say } from './context.js';

export const addRotateMasterKey: AddCommands = (program, { withSession }) => {
  program
    .command('rotate-master-key')
    .description(`put subject keys and secrets under a new MASTER_KEY; stop all services first; ${AS_OWNER}`)
    .requiredOption('--new-key-file <file>', 'the new key, base64 of 32 bytes')
    .action(async ({ newKeyFile }: { newKeyFile: string }) => {
      const text = (await readFile(newKeyFile, 'utf8')).trim();
      const key = Buffer.from(text, 'base64');
      if (key.length !== 32 || key.toString('base64') !== text) {
        throw new CommandRefused('The new key must be base64 of 32 bytes.');
      }
      await withSession(async ({ app, config, database, ownerUrl }) => {
        await assertKeys(database, { MASTER_KEY: config.secrets.masterKey });
        await app.get(LookupKey, { strict: false }).onModuleInit();
        const codec = app.get(PersonalDataCodec, { strict: false });
        const { subjectKeys, secrets } = await rotateMasterKey(ownerUrl, codec, key);
        say(`${subjectKeys} subject keys and ${secrets} secrets are under the new key. Start the services with it.`);
      });
    });
};
