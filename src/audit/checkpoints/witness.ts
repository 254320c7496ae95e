import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { readText } from '../../platform/outbound/fetch-text.js';
import { HistoryAltered } from '../errors.js';
import { CheckpointKey } from './checkpoint-key.js';
import { CheckpointMetrics } from './checkpoint-metrics.js';
import { cosignedAt } from './cosignature.js';
import type { Checkpoint } from './note.js';

const TIMEOUT_MS = 5_000;
/** A cosignature is one line; a longer answer is none. */
const MAX_ANSWER = 4_096;

/** A new checkpoint, with proofs that it is consistent with earlier ones. */
export interface ToWitness extends Checkpoint {
  readonly partition: number;
  readonly note: string;
  /** Size of the checkpoint before. */
  readonly earlier: bigint;
  readonly consistency: (earlier: bigint) => Promise<readonly Buffer[]>;
  /** Whether the log has so many events by now. */
  readonly reaches: (size: bigint) => Promise<boolean>;
}

/**
 * Requests cosignatures from a witness (c2sp.org/tlog-witness): a third party that remembers checkpoints, so that
 * neither the owner of the database nor that of this machine can roll the log back. Without an answer of the witness
 * the checkpoint is signed all the same.
 */
@Injectable()
export class Witness {
  readonly #logger = new Logger(Witness.name);
  readonly #url: string | undefined;

  constructor(
    @Inject(CONFIG) { checkpoints }: Config,
    private readonly key: CheckpointKey,
    private readonly metrics: CheckpointMetrics,
  ) {
    this.#url = checkpoints.witnessUrl;
  }

  /**
   * @returns the note, with the witness's line if it answered with one; `undefined` where another process had a larger
   *   tree cosigned meanwhile, which the next round continues
   * @throws HistoryAltered if the witness has seen a larger tree than the log has, or an inconsistent one
   */
  async cosigned(checkpoint: ToWitness): Promise<string | undefined> {
    const { note, partition, size, earlier } = checkpoint;
    if (this.#url === undefined) return note;
    try {
      let answer = await this.#ask(checkpoint, earlier);
      if (answer.status === 409) {
        const seen = /^(\d{1,18})\n?$/.exec(answer.text)?.[1];
        if (seen === undefined) throw new Error('it does not say what it has seen');
        if (BigInt(seen) > size) {
          if (await checkpoint.reaches(BigInt(seen))) return undefined;
          throw new HistoryAltered(partition, size + 1n, `the witness has seen ${seen} events, and they are gone`);
        }
        answer = await this.#ask(checkpoint, BigInt(seen));
      }
      if (answer.status === 422) {
        throw new HistoryAltered(partition, size, 'the witness has seen another history of this log');
      }
      if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
      const whole = `${note}${answer.text}`;
      if (!answer.text.startsWith('— ') || !answer.text.endsWith('\n') || !cosignedAt(whole, this.key.witness!)) {
        throw new Error('its cosignature is not good');
      }
      this.metrics.asked(partition, 'given');
      return whole;
    } catch (error) {
      if (error instanceof HistoryAltered) throw error;
      this.metrics.asked(partition, 'missing');
      this.#logger.warn({ err: error, partition }, 'the witness did not cosign a checkpoint');
      return note;
    }
  }

  async #ask({ note, consistency }: ToWitness, earlier: bigint): Promise<{ status: number; text: string }> {
    const proof = (await consistency(earlier)).map((one) => `${one.toString('base64')}\n`).join('');
    const response = await fetch(`${this.#url}/add-checkpoint`, {
      method: 'POST',
      body: `old ${earlier}\n${proof}\n${note}`,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { status, body } = response;
    // Only these say something; no other text, however long, hides what its status says.
    if (status === 200 || status === 409) return { status, text: await readText(body!, MAX_ANSWER) };
    await body?.cancel();
    return { status, text: '' };
  }
}
