import type { PipelinedConnection } from '../../platform/database/index.js';
import * as sql from './batch-statements.js';
import type { CommitUnanswered } from './batch-writer.js';
import { LogContradicted } from '../log/log-contradicted.js';
import { BEGIN, COMMIT, type LaneConnection } from './lane-connection.js';

export const RETRY_PAUSE_MS = 50;

/** What a lane finds out from the log after a batch has failed. */
export class LogChecks {
  constructor(
    private readonly partition: number,
    private readonly connection: LaneConnection,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /**
   * Whether a batch is in the log; one that is not is fenced off for good. The head is locked first: a transaction in
   * progress on the server holds that lock, so its outcome is visible behind it. A batch that is still in a network
   * buffer holds no lock: the fence changes the head that it expects.
   * @returns `undefined` when it could not be found out before the deadline
   */
  async wasCommitted(unanswered: CommitUnanswered, deadline: number): Promise<boolean | undefined> {
    while (performance.now() < deadline) {
      try {
        return await this.#wasCommitted(unanswered);
      } catch (error) {
        this.onFault(error);
        await new Promise((resume) => setTimeout(resume, RETRY_PAUSE_MS));
      }
    }
    return undefined;
  }

  #wasCommitted({ firstPosition, firstEventId }: CommitUnanswered): Promise<boolean> {
    return this.#ask(async (connection) => {
      const results = await connection.run([
        BEGIN,
        ...connection.guard,
        sql.lockHead(this.partition),
        sql.fenceHead(this.partition, firstPosition, firstEventId),
        COMMIT,
      ]);
      const [head, fence] = results.slice(-3);
      if (head!.rows.length === 0) throw new LogContradicted();
      return fence!.tag === 'UPDATE 0';
    });
  }

  /**
   * Whether events are beyond the head: the service never leaves any, and the next batch finds its positions taken. The
   * database is asked, as names of constraints differ where it is distributed.
   */
  isTakenBeyondHead(): Promise<boolean> {
    return this.#ask(async (connection) => {
      const results = await connection.run([...connection.guard, sql.findBeyondHead(this.partition)]);
      return results.at(-1)!.rows.length > 0;
    });
  }

  async #ask(question: (connection: PipelinedConnection) => Promise<boolean>): Promise<boolean> {
    const connection = await this.connection.get();
    try {
      return await question(connection);
    } catch (error) {
      await this.connection.abandon(connection, error);
      throw error;
    }
  }
}
