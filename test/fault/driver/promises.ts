import type { Answer } from '../../support/api.js';

/**
 * What an answer promised.
 * - `done`: it happened, once, and lasts.
 * - `refused`: a rule was against it, and it left nothing.
 * - `unavailable`: 503 or 429: nothing was done.
 * - `unknown`: `OutcomeUnknown`, or no answer at all: it happened once or not at all.
 * - `broken`: an answer that must not be given.
 */
export type Promised = 'done' | 'refused' | 'unavailable' | 'unknown' | 'broken';

/** One request of a command; a repetition is another one, under the same key. */
export interface Attempt {
  readonly requestId: string;
  promised: Promised;
  readonly sentAt: number;
  /** Milliseconds to the answer. */
  ms?: number;
  /** Of what was made, where the answer says it. */
  id?: string;
  /** What had been acknowledged before this request was sent: it must be acknowledged again. */
  readonly before: string | undefined;
  /** What is wrong with the answer. */
  fault?: string;
  /** Others went by the same request: what it made is told apart by their keys. */
  readonly together?: true;
}

/** Something that a client wants to happen once. */
export interface Command {
  readonly kind: string;
  readonly method: 'POST';
  readonly path: string;
  readonly token: string;
  readonly body: unknown;
  /** Absent: JSON. */
  readonly contentType?: string;
  /** Absent: sent once, without an `Idempotency-Key`. */
  readonly key?: string;
  /** Of whose keys that is one; absent for what operators do. */
  readonly account?: string;
  /** Where an answer says what was made. */
  readonly idOf: (data: any) => string;
  readonly attempts: Attempt[];
}

/** Commands in one request; each has a key of its own, under which it may be repeated alone. */
export interface Batch {
  readonly path: string;
  readonly mode: 'independent' | 'atomic';
  /** Of the request as a whole. */
  readonly key?: string;
  readonly commands: readonly Command[];
  readonly requestIds: string[];
}

/** Everything that was sent and promised in a round. */
export class Book {
  readonly commands: Command[] = [];
  readonly batches: Batch[] = [];
  /** Things that went wrong at once: answers that must never be given. */
  readonly violations: string[] = [];
  readonly counts = { reads: 0, logins: 0, payments: 0 };
  #requests = 0;

  constructor(private readonly name: string) {}

  command(command: Omit<Command, 'attempts' | 'method'>): Command {
    const made: Command = { ...command, method: 'POST', attempts: [] };
    this.commands.push(made);
    return made;
  }

  batch(batch: Omit<Batch, 'requestIds'>): Batch {
    const made: Batch = { ...batch, requestIds: [] };
    this.batches.push(made);
    return made;
  }

  attempt(command: Command): Attempt {
    return this.#attempt(command, this.#newRequest());
  }

  /** One attempt of each of its commands, by one request. */
  attemptAll({ commands, requestIds }: Batch): { readonly requestId: string; readonly attempts: readonly Attempt[] } {
    const requestId = this.#newRequest();
    requestIds.push(requestId);
    return { requestId, attempts: commands.map((command) => this.#attempt(command, requestId, true)) };
  }

  #newRequest(): string {
    this.#requests += 1;
    return `${this.name}-${this.#requests}`;
  }

  #attempt(command: Command, requestId: string, together?: true): Attempt {
    const before = command.attempts.find(({ promised }) => promised === 'done')?.id;
    const attempt: Attempt = { requestId, promised: 'unknown', before, sentAt: performance.now(), together };
    command.attempts.push(attempt);
    return attempt;
  }

  /** Keeps what an answer promised; `undefined` is no answer. */
  settle(command: Command, attempt: Attempt, answer: Answer | undefined): void {
    if (!answer) return;
    attempt.ms = performance.now() - attempt.sentAt;
    attempt.promised = promiseOf(answer);
    if (attempt.promised === 'done') attempt.id = command.idOf(answer.body.data);
    attempt.fault = faultOf(attempt, answer);
    if (attempt.fault) this.violations.push(`${command.kind} ${attempt.requestId}: ${attempt.fault}`);
  }

  /** Keeps what an answer to a batch promised, item by item where it has items. */
  settleAll({ commands }: Batch, attempts: readonly Attempt[], answer: Answer | undefined): void {
    const items = answer?.body?.data?.items as readonly any[] | undefined;
    if (items && items.length !== commands.length) this.violations.push(`${items.length} answers for a batch`);
    commands.forEach((command, i) => this.settle(command, attempts[i]!, items ? itemAnswer(items[i]) : answer));
  }

  /** Commands of which nobody knows whether they happened; a repetition under their key tells. */
  untold(): Command[] {
    return this.commands.filter(({ key, attempts }) => {
      const told = attempts.map(({ promised }) => promised);
      return key !== undefined && told.includes('unknown') && !told.includes('done');
    });
  }

  tally(): Record<Promised | 'sent', number> {
    const all = this.commands.flatMap(({ attempts }) => attempts);
    const count = (promised: Promised) => all.filter((attempt) => attempt.promised === promised).length;
    return {
      sent: all.length,
      done: count('done'),
      refused: count('refused'),
      unavailable: count('unavailable'),
      unknown: count('unknown'),
      broken: count('broken'),
    };
  }
}

/** The answer of an item, as the single route would give it. */
function itemAnswer({ status, replayed, ...body }: any): Answer {
  const headers = new Headers({ 'idempotent-replayed': String(replayed), 'retry-after': '1' });
  return { status, headers, body };
}

function faultOf({ promised, before, id }: Attempt, { status, body, headers }: Answer): string | undefined {
  const answer = `${status} ${JSON.stringify(body)}`;
  if (promised === 'broken') return `must not be answered: ${answer}`;
  if ((status === 503 || status === 429) && !headers.get('retry-after')) return `without Retry-After: ${answer}`;
  if (before === undefined || !(promised === 'done' || promised === 'refused')) return undefined;
  if (id === before && headers.get('idempotent-replayed') === 'true') return undefined;
  return `its repetition is not answered with ${before} again: ${answer}`;
}

/** Which promise an answer makes, whatever it was the answer to. */
export function promiseOf({ status, body }: Answer): Promised {
  if (status >= 200 && status < 300) return 'done';
  const name = body?.error?.name;
  if (status === 503)
    return name === 'OutcomeUnknown' ? 'unknown' : name === 'ServiceUnavailable' ? 'unavailable' : 'broken';
  if (status === 429) return 'unavailable';
  // The driver's tokens are good, its bodies are JSON, and its keys are its own: these refusals have no cause.
  if (status >= 500 || [401, 405, 409, 413, 415].includes(status)) return 'broken';
  return 'refused';
}
