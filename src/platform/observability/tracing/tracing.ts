import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export type SpanKind = 'internal' | 'client' | 'server';
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind?: SpanKind;
  /**
   * `traceparent` (W3C Trace Context) of what caused this, where that happened in another process or at another time.
   * Absent: the span that runs now. Where there is neither, no span is made: traces begin at requests.
   */
  readonly parent?: string;
  readonly attributes?: SpanAttributes;
}

/** A span that runs. */
export interface RunningSpan {
  /** `traceparent` for whatever it causes elsewhere; `undefined` where this trace is not recorded (sampling). */
  readonly traceparent: string | undefined;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed; a throw out of its `run` does so by itself. */
  fail(message: string): void;
}

/** Makes spans. Only there when tracing is switched on. */
export interface Tracer {
  /** Runs `run` as a span; whatever it calls sees that span as the one that runs. */
  span<T>(name: string, options: SpanOptions, run: (span: RunningSpan) => Promise<T>): Promise<T>;
  /** A span that is over already, with links to others by their `traceparent`. Times are Unix milliseconds. */
  record(
    name: string,
    past: {
      readonly startedAt: number;
      readonly endedAt: number;
      readonly links: readonly string[];
      readonly attributes?: SpanAttributes;
    },
  ): void;
  /** Whether something runs that belongs to a trace already. */
  readonly isWithin: boolean;
  /** Trace id of the span that runs now. */
  currentTraceId(): string | undefined;
  /** Trace id of an HTTP request, whose end is told outside of its span. */
  traceIdOf(request: FastifyRequest): string | undefined;
  /** Makes a span of every request but those of `quiet` routes, as part of the caller's trace where it names one. */
  observe(fastify: FastifyInstance, quiet: ReadonlySet<string | undefined>): void;
  /** Sends what was not sent yet, and stops. */
  close(): Promise<void>;
}

/**
 * Traces are off unless they are configured; then there is no `tracer`, nothing of OpenTelemetry is loaded, and each
 * place that would make a span costs one look at this member.
 */
@Injectable()
export class Tracing {
  constructor(readonly tracer: Tracer | undefined) {}
}
