import { Injectable } from '@nestjs/common';
import { EventLog, partitionOf, type WorkItem, type WorkResult } from '../../event-store/index.js';
import { Tracing } from '../../platform/observability/tracing/index.js';
import { streamsOfPayment } from '../domain/streams-of-payment.js';

/** Later steps of a transaction continue the trace of the request that began it, where traces are on. */
@Injectable()
export class TransactionTraces {
  constructor(
    private readonly tracing: Tracing,
    private readonly log: EventLog,
  ) {}

  /** Runs a work item in a span of its transaction's trace. */
  async work(
    { partition, kind, subject, attempts }: WorkItem,
    perform: () => Promise<WorkResult>,
  ): Promise<WorkResult> {
    const { tracer } = this.tracing;
    if (!tracer) return perform();
    const parent = await this.#traceOf(partition, subject);
    return tracer.span(`work ${kind}`, { parent, attributes: { 'payments.attempt': attempts } }, perform);
  }

  /**
   * Handles a notification of the rail in a span of its transaction's trace, unless it is part of another trace
   * already.
   */
  async notification<T>(transactionId: string | undefined, run: () => Promise<T>): Promise<T> {
    const { tracer } = this.tracing;
    if (!tracer || tracer.isWithin) return run();
    const partition = transactionId && partitionOf(transactionId);
    const parent =
      partition === undefined || partition === '' ? undefined : await this.#traceOf(partition, transactionId!);
    return tracer.span(
      'rail notification',
      { parent, attributes: { 'payments.transaction': transactionId ?? '' } },
      run,
    );
  }

  #traceOf(partition: number, id: string): Promise<string | undefined> {
    return this.log.traceOfStreams(partition, streamsOfPayment(id));
  }
}
