import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export type SpanKind = 'internal' | 'client' | 'server';
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind?: SpanKind;
  /**
   * `traceparent` (W3C Trace Context) of the cause, if that was in another process or earlier. Absent: the active span.
   * Without either, no span is made: traces begin at requests.
   */
  readonly parent?: string;
  readonly attributes?: SpanAttributes;
}

/** An active span. */
export interface RunningSpan {
  /** `traceparent` to propagate; `undefined` for an unsampled trace. */
  readonly traceparent: string | undefined;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed; an error thrown by `run` does so too. */
  fail(message: string): void;
}

/** Makes spans. Present only when tracing is on. */
export interface Tracer {
  /** Runs `run` in a new active span. */
  span<T>(name: string, options: SpanOptions, run: (span: RunningSpan) => Promise<T>): Promise<T>;
  /** A span that has ended already, with links to others by their `traceparent`. Times are Unix milliseconds. */
  record(
    name: string,
    past: {
      readonly startedAt: number;
      readonly endedAt: number;
      readonly links: readonly string[];
      readonly attributes?: SpanAttributes;
    },
  ): void;
  /** Whether a span is active. */
  readonly isWithin: boolean;
  /** Trace id of the active span. */
  currentTraceId(): string | undefined;
  /** Trace id of an HTTP request, whose end is logged outside of its span. */
  traceIdOf(request: FastifyRequest): string | undefined;
  /** Makes a span for every request but those of `quiet` routes, in the caller's trace if it sends one. */
  observe(fastify: FastifyInstance, quiet: ReadonlySet<string | undefined>): void;
  /** Flushes and stops. */
  close(): Promise<void>;
}

/**
 * Tracing is off unless configured: then `tracer` is undefined, OpenTelemetry is not loaded, and each place that would
 * make a span costs one check of this field.
 */
@Injectable()
export class Tracing {
  constructor(readonly tracer: Tracer | undefined) {}
}
