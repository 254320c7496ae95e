import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accountProjection, Registry } from '../../../accounts/index.js';
import { keyActor } from '../../../auth/index.js';
import {
  type Append,
  type IdempotencyKey,
  Ledger,
  markOf,
  newId,
  personal,
  PersonalDataCodec,
} from '../../../event-store/index.js';
import { CashOutBody } from '../../../pix/index.js';
import { OutcomeUnknown } from '../../../platform/errors/index.js';
import { TooManyPayoutFiles } from '../../domain/errors.js';
import { acceptFile } from '../../domain/payout-file.decider.js';
import { CHUNK_LINES, CHUNKS_AT_ONCE, evolveFile } from '../../domain/payout-file.js';
import { PayoutFileRows } from '../../payout-file-rows.js';
import { amountOf, type CheckedLine, checkedLines } from '../../reading/checked-lines.js';
import { csvLines } from '../../reading/csv-lines.js';
import { FileText } from '../../reading/file-text.js';
import { jsonLines } from '../../reading/json-lines.js';
import { writeDigests } from '../../storage/chunk-digests.js';
import { FileInputs, type InputOf } from '../../storage/file-inputs.js';
import { type AcceptedPayoutFile, AcceptPayoutFile } from './accept-payout-file.command.js';
import { Uploads } from './uploads.js';

const READERS = { csv: csvLines, jsonl: jsonLines };
/** Files of an account that run at a time. */
const MOST_RUNNING = 5;

interface StoredLines {
  readonly lines: number;
  readonly amount: bigint;
  readonly chunks: number;
  readonly chunkDigests: string;
}

@CommandHandler(AcceptPayoutFile)
export class AcceptPayoutFileHandler implements ICommandHandler<AcceptPayoutFile> {
  readonly #logger = new Logger(AcceptPayoutFileHandler.name);

  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
    private readonly body: CashOutBody,
    private readonly inputs: FileInputs,
    private readonly rows: PayoutFileRows,
    private readonly uploads: Uploads,
    private readonly codec: PersonalDataCodec,
  ) {}

  /** A file whose turn it is not is not read, nor is one that was given up: what arrives of it is not kept. */
  execute(command: AcceptPayoutFile): Promise<AcceptedPayoutFile> {
    return this.uploads.run(command.caller.partnerUid, command.body, (bytes) => this.#accept(command, bytes));
  }

  /** Lines are stored while they are read; those of a file that is not accepted go again. */
  async #accept(command: AcceptPayoutFile, bytes: Readable): Promise<AcceptedPayoutFile> {
    const { partition } = command.caller;
    const id = newId(partition);
    const input = { partition, file: id, key: randomBytes(32) };
    if (command.preview) return this.#read(command, bytes, input);
    await this.inputs.removeAbandoned(partition);
    try {
      const accepted = await this.#read(command, bytes, input);
      if (accepted.file.id !== id) await this.#removeLines(partition, id);
      return accepted;
    } catch (error) {
      // It may have been accepted.
      if (!(error instanceof OutcomeUnknown)) await this.#removeLines(partition, id);
      throw error;
    }
  }

  /** What cannot be removed now is removed as abandoned. */
  async #removeLines(partition: number, id: string): Promise<void> {
    await this.inputs.remove(partition, id).catch((error: unknown) => {
      this.#logger.warn({ err: error, file: id }, 'the lines of a file that was not accepted are removed later');
    });
  }

  async #read(command: AcceptPayoutFile, bytes: Readable, input: InputOf): Promise<AcceptedPayoutFile> {
    const { caller, format, requestId, idempotencyKey, preview } = command;
    const { accountUid, partnerUid, partition, accessKey } = caller;
    const { owner } = await this.registry.facts(accountUid);
    const { settings } = await this.registry.partner(partnerUid);
    const text = new FileText(bytes);
    const check = (line: object) => this.body.readLine(line);
    const { lines, amount, chunks, chunkDigests } = await this.#store(
      preview ? undefined : input,
      checkedLines(text.pieces(), READERS[format], check),
    );
    const digest = text.digest();
    const id = input.file;
    const key = idempotencyKey === undefined ? undefined : keyOf(accountUid, idempotencyKey, format, digest);
    const isOneMore = (await this.rows.running(partition, accountUid)) >= MOST_RUNNING;
    const append: Append = {
      partition,
      reads: { accounts: [accountUid] },
      creates: { payoutFiles: [id] },
      subjects: [owner],
      decide: (loaded) => {
        if (isOneMore) throw new TooManyPayoutFiles(MOST_RUNNING);
        return acceptFile(loaded.of(accountProjection).get(accountUid)!, {
          ...{ id, accessKey, format, digest, lines },
          amount: amount.toString(),
          chunkDigests,
          key: personal(owner, input.key.toString('base64')),
          ...(key && { linesNamed: markOf(key, this.codec).request }),
        });
      },
      metadata: { actor: keyActor(caller), requestId, correlation: id },
      idempotency: key,
      requires: this.inputs.all(input, chunks),
    };
    // Nothing may fail after it: a fault would take the lines of an accepted file away.
    const { events, replayed } = await this.ledger.execute(append, preview);
    const file = evolveFile(undefined, events[0]!);
    return { file, replayed, charges: BigInt(settings.cashOutCharge) * BigInt(file.lines) };
  }

  /** Lines are read on while those before are stored. @param input absent in a dry run */
  async #store(input: InputOf | undefined, checked: AsyncIterable<CheckedLine>): Promise<StoredLines> {
    const digests: Buffer[] = [];
    let waiting: CheckedLine[] = [];
    let stored = Promise.resolve();
    let [lines, amount] = [0, 0n];
    const store = async (place: InputOf) => {
      await stored;
      const added = this.inputs.addAll(place, digests.length, inChunks(waiting));
      stored = added.then((ofChunks) => void digests.push(...ofChunks));
      // Whoever awaits it is told.
      stored.catch(() => undefined);
      waiting = [];
    };
    try {
      for await (const line of checked) {
        lines += 1;
        amount += amountOf(line);
        if (input && waiting.push(line) === CHUNK_LINES * CHUNKS_AT_ONCE) await store(input);
      }
      if (input && waiting.length > 0) await store(input);
    } finally {
      // The lines of a file that is not accepted are removed: none may come after.
      await Promise.allSettled([stored]);
    }
    await stored;
    return { lines, amount, chunks: digests.length, chunkDigests: writeDigests(digests) };
  }
}

function inChunks(lines: readonly CheckedLine[]): CheckedLine[][] {
  const first = Array.from({ length: Math.ceil(lines.length / CHUNK_LINES) }, (_, i) => i * CHUNK_LINES);
  return first.map((from) => lines.slice(from, from + CHUNK_LINES));
}

/** The same file in the same format is the same request. */
function keyOf(scope: string, key: string, format: string, digest: string): IdempotencyKey {
  return { scope, key, request: `POST /partners-int/payouts/files ${format} sha256:${digest}` };
}
