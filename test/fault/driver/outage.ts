import { eventually } from '../../support/eventually.js';
import type { Book } from './promises.js';
import { runRound } from './round.js';
import type { World } from './world.js';

export interface OutageFigures {
  readonly goneSeconds: number;
  readonly tally: ReturnType<Book['tally']>;
  /** Milliseconds from the server's return to the first command that was acknowledged. */
  readonly recoveredAfterMs: number;
  /** The longest that anybody waited for an answer while it was gone. */
  readonly longestAnswerMs: number;
  readonly wrong: readonly string[];
}

const BEFORE_MS = 2_000;
const AFTER_MS = 3_000;

/**
 * PostgreSQL is gone for a while under load. No process is restarted, and everything promised is checked afterwards.
 */
export async function outage(world: World, seconds: number, clients: number, seed: number): Promise<OutageFigures> {
  let recoveredAfterMs = Number.NaN;
  const processes = () => world.instances.map(({ process }) => process?.pid).join();
  const before = processes();
  const { book, wrong } = await runRound(
    world,
    {
      seed,
      clients,
      faults: async ({ book }) => {
        await pause(BEFORE_MS);
        await world.postgres.restart('fast', seconds * 1000);
        const back = performance.now();
        const acknowledged = book.tally().done;
        await eventually(() => book.tally().done > acknowledged, { within: 30_000 });
        recoveredAfterMs = Math.round(performance.now() - back);
        await pause(AFTER_MS);
      },
    },
    [],
  );
  return {
    goneSeconds: seconds,
    tally: book.tally(),
    recoveredAfterMs,
    longestAnswerMs: Math.round(
      Math.max(...book.commands.flatMap(({ attempts }) => attempts.map(({ ms }) => ms ?? 0))),
    ),
    wrong: processes() === before ? wrong : [...wrong, 'a process was restarted'],
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}
