import { assertKeys, LookupKey, PersonalDataCodec, wasUsedWith } from '../../event-store/index.js';
import { rotateMasterKey } from '../erasure/key-rotation.js';
import { CommandRefused } from '../errors.js';
import { assertOwnVersion } from '../own-version.js';
import { type AddCommands, AS_OWNER, say } from './context.js';
import { readGiven } from './files.js';

export const addRotateMasterKey: AddCommands = (program, { withSession }) => {
  program
    .command('rotate-master-key')
    .description(`put subject keys and secrets under a new MASTER_KEY; stop all services first; ${AS_OWNER}`)
    .requiredOption('--new-key-file <file>', 'the new key, base64 of 32 bytes')
    .action(async ({ newKeyFile }: { newKeyFile: string }) => {
      const text = (await readGiven('--new-key-file', newKeyFile)).trim();
      const key = Buffer.from(text, 'base64');
      if (key.length !== 32 || key.toString('base64') !== text) {
        throw new CommandRefused('The new key must be base64 of 32 bytes.');
      }
      await withSession(async ({ app, config, database, owner }) => {
        const { masterKey } = config.secrets;
        await assertOwnVersion(database, 'rotate-master-key', 'leave what it does not know under the old key');
        // After a run that ended between its commit and its answer.
        if (!key.equals(masterKey) && (await wasUsedWith(database, 'MASTER_KEY', key))) {
          return say('This database is under the new key already. Start the services with it.');
        }
        await assertKeys(database, { MASTER_KEY: masterKey });
        await app.get(LookupKey, { strict: false }).onModuleInit();
        if (key.equals(masterKey)) {
          throw new CommandRefused('The new key is the present MASTER_KEY: nothing was changed.');
        }
        const codec = app.get(PersonalDataCodec, { strict: false });
        const { subjectKeys, secrets } = await rotateMasterKey(await owner(), codec, {
          oldKey: masterKey,
          newKey: key,
        });
        say(`${subjectKeys} subject keys and ${secrets} secrets are under the new key. Start the services with it.`);
      });
    });
};
