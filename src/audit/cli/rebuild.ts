import { InlineProjections, isAsyncProjection, LookupKey, Subscriptions } from '../../event-store/index.js';
import { whileKeyStays } from '../erasure/key-rotation.js';
import { AsyncRebuild } from '../rebuild/async-rebuild.js';
import { InlineRebuild } from '../rebuild/inline-rebuild.js';
import { assertRebuildable } from '../own-version.js';
import { TreeRebuild } from '../rebuild/tree-rebuild.js';
import { TREE_CONSUMER } from '../tree/stored-nodes.js';
import { CommandRefused } from '../errors.js';
import { type AddCommands, AS_OWNER, type CliSession, say } from './context.js';
import { progressBar } from './progress-bar.js';

interface Options {
  readonly projection?: string;
}

export const addRebuild: AddCommands = (program, { withSession }) => {
  program
    .command('rebuild')
    .description(
      `build async projections anew, and correct inline ones, while the service runs; sends nothing; ${AS_OWNER}`,
    )
    .option('--projection <name>', 'one projection; all of them if absent')
    .action(({ projection }: Options) => withSession((session) => rebuild(session, projection)));
};

async function rebuild(
  { app, config, database, databaseUrl, owner }: CliSession,
  only: string | undefined,
): Promise<void> {
  await assertRebuildable(database);
  const find = <T>(type: new (...args: never[]) => T) => app.get<T>(type, { strict: false });
  const chosen = ({ name }: { readonly name: string }) => only === undefined || name === only;
  const allInline = find(InlineProjections).all();
  const allFollowing = find(Subscriptions).all().filter(isAsyncProjection);
  const inline = allInline.filter(chosen);
  const following = allFollowing.filter(chosen);
  // By name only: until they are whole again, no proof is given and no checkpoint signed.
  const trees = only === TREE_CONSUMER;
  if (inline.length + following.length === 0 && !trees) {
    const names = [...allInline, ...allFollowing, { name: TREE_CONSUMER }].map(({ name }) => name);
    throw new CommandRefused(`There is no projection ${only}, but ${names.join(', ')}.`);
  }
  const ownerUrl = await owner();
  if (inline.length > 0) {
    const bar = progressBar('inline');
    const corrected = new Map(inline.map(({ name }) => [name, 0]));
    for await (const correction of find(InlineRebuild).rebuild(inline, ownerUrl, bar.update)) {
      say(JSON.stringify(correction));
      corrected.set(correction.projection, corrected.get(correction.projection)! + 1);
    }
    bar.end();
    for (const [name, count] of corrected) say(`${name}: ${count} rows corrected`);
  }
  const build = async () => {
    const bar = progressBar('async');
    const events = await find(AsyncRebuild).rebuild(following, ownerUrl, bar.update);
    bar.end();
    for (const { name } of following) say(`${name}: built anew from ${events} events`);
  };
  if (following.some(({ opens }) => opens)) {
    const { masterKey } = config.secrets;
    await whileKeyStays({ database, databaseUrl, masterKey }, async () => {
      await find(LookupKey).onModuleInit();
      await build();
    });
  } else if (following.length > 0) await build();
  if (trees) {
    const bar = progressBar(TREE_CONSUMER);
    const events = await find(TreeRebuild).rebuild(ownerUrl, bar.update);
    bar.end();
    say(`${TREE_CONSUMER}: built anew from ${events} events`);
  }
}
