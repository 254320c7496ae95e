import { Injectable } from '@nestjs/common';
import { Tracing, type Tracer } from '../../platform/observability/tracing/index.js';
import type { Append, Outcome } from './append.js';

/**
 * Spans of commands and of their batches, where traces are wanted. A command's `traceparent` goes into the metadata of
 * its events, so that what they cause, in any process and at any time, continues its trace.
 */
@Injectable()
export class CommandSpans {
  readonly #tracer: Tracer | undefined;
  /** Commands that are decided and not answered, by partition: those of the batch that is being written. */
  readonly #decided = new Map<number, Set<string>>();

  constructor(tracing: Tracing) {
    this.#tracer = tracing.tracer;
  }

  run(append: Append, execute: (append: Append) => Promise<Outcome>): Promise<Outcome> {
    if (!this.#tracer) return execute(append);
    const { partition } = append;
    const attributes = { 'ledger.partition': partition };
    return this.#tracer.span('ledger command', { attributes }, async (span) => {
      const { traceparent } = span;
      if (traceparent === undefined) return execute(append);
      const decided = this.#decidedIn(partition);
      try {
        const outcome = await execute(traced(append, traceparent, decided));
        const types = [...new Set(outcome.events.map(({ type }) => type))].join(',');
        span.set({ 'ledger.events': types, 'ledger.replayed': outcome.replayed });
        return outcome;
      } finally {
        decided.delete(traceparent);
      }
    });
  }

  /** Commands of one request have one span. */
  runAll<T>(appends: readonly Append[], execute: (appends: readonly Append[]) => Promise<T>): Promise<T> {
    if (!this.#tracer) return execute(appends);
    const { partition } = appends[0]!;
    const attributes = { 'ledger.partition': partition, 'ledger.commands': appends.length };
    return this.#tracer.span('ledger commands', { attributes }, async ({ traceparent }) => {
      if (traceparent === undefined) return execute(appends);
      const decided = this.#decidedIn(partition);
      try {
        return await execute(appends.map((append) => traced(append, traceparent, decided)));
      } finally {
        decided.delete(traceparent);
      }
    });
  }

  /** Called when a batch is committed, before those who wait for its commands go on. */
  batch(partition: number, commands: number, events: number, seconds: number): void {
    if (!this.#tracer) return;
    const links = [...this.#decidedIn(partition)];
    if (links.length === 0) return;
    const endedAt = Date.now();
    const attributes = { 'ledger.partition': partition, 'ledger.commands': commands, 'ledger.events': events };
    this.#tracer.record('ledger batch', { startedAt: endedAt - seconds * 1000, endedAt, links, attributes });
  }

  #decidedIn(partition: number): Set<string> {
    let decided = this.#decided.get(partition);
    if (!decided) this.#decided.set(partition, (decided = new Set()));
    return decided;
  }
}

function traced(append: Append, traceparent: string, decided: Set<string>): Append {
  return {
    ...append,
    metadata: { ...append.metadata, traceparent },
    decide: (...state) => {
      decided.add(traceparent);
      return append.decide(...state);
    },
  };
}
