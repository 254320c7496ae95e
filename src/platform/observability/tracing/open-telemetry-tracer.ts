import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RunningSpan, SpanAttributes, SpanKind, SpanOptions, Tracer } from './tracing.js';

const KINDS: Readonly<Record<SpanKind, Kind>> = { internal: Kind.INTERNAL, client: Kind.CLIENT, server: Kind.SERVER };

export interface OpenTelemetryOptions {
  /** Base address of an OTLP/HTTP receiver; spans go to `/v1/traces` under it. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** Sampling ratio of new traces, 0 to 1. A caller's sampling decision is followed. */
  readonly ratio: number;
  readonly role: string;
}

const CLOSING_MS = 2_000;

/** The context outside of any trace. */
const NOTHING: RunningSpan = { traceparent: undefined, set: () => undefined, fail: () => undefined };

/** Spans by OpenTelemetry, sent as OTLP over HTTP. It registers nothing globally, and nothing is patched. */
export class OpenTelemetryTracer implements Tracer {
  readonly #contexts = new AsyncLocalStorageContextManager().enable();
  readonly #requests = new WeakMap<FastifyRequest, Span>();
  readonly #provider: TracerProvider;
  readonly #tracer: OtelTracer;

  constructor({ endpoint, serviceName, ratio, role }: OpenTelemetryOptions) {
    const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': serviceName,
        'service.instance.id': `${hostname()}-${process.pid}`,
        'payments.role': role,
      }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
      spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 })],
    });
    this.#tracer = this.#provider.getTracer('partner-payments-service');
  }

  get isWithin(): boolean {
    return trace.getSpanContext(this.#contexts.active()) !== undefined;
  }

  async span<T>(name: string, options: SpanOptions, run: (span: RunningSpan) => Promise<T>): Promise<T> {
    const parent = options.parent === undefined ? this.#contexts.active() : remote(options.parent);
    // Traces begin at requests: neither timers nor unsampled requests start one.
    if (!trace.getSpanContext(parent)) return run(NOTHING);
    const span = this.#tracer.startSpan(
      name,
      { kind: KINDS[options.kind ?? 'internal'], attributes: { ...options.attributes } },
      parent,
    );
    const fail = (message: string) => void span.setStatus({ code: SpanStatusCode.ERROR, message });
    try {
      return await this.#contexts.with(trace.setSpan(parent, span), () =>
        run({
          traceparent: traceparentOf(span.spanContext()),
          set: (attributes) => void span.setAttributes({ ...attributes }),
          fail,
        }),
      );
    } catch (error) {
      // The class only: error messages may quote a caller's input.
      fail(error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  }

  record(
    name: string,
    past: { startedAt: number; endedAt: number; links: readonly string[]; attributes?: SpanAttributes },
  ): void {
    const links = past.links.flatMap((link) => parseTraceParent(link) ?? []).map((context) => ({ context }));
    const options = { startTime: past.startedAt, links, attributes: { ...past.attributes } };
    // A batch belongs to several traces: it is a child of the first and linked to all.
    const parent = past.links[0] === undefined ? ROOT_CONTEXT : remote(past.links[0]);
    this.#tracer.startSpan(name, options, parent).end(past.endedAt);
  }

  currentTraceId(): string | undefined {
    return trace.getSpanContext(this.#contexts.active())?.traceId;
  }

  traceIdOf(request: FastifyRequest): string | undefined {
    return this.#requests.get(request)?.spanContext().traceId;
  }

  observe(fastify: FastifyInstance, quiet: ReadonlySet<string | undefined>): void {
    fastify.addHook('onRequest', (request, _reply, next) => {
      const route = request.routeOptions.url;
      if (!quiet.has(route)) this.#requests.set(request, this.#startRequest(request, route ?? 'unknown'));
      next();
    });
    // Not earlier: while a body is being read, the connection's context is active, not the request's.
    fastify.addHook('preValidation', (request, _reply, next) => {
      const span = this.#requests.get(request);
      if (span) this.#contexts.with(trace.setSpan(ROOT_CONTEXT, span), next);
      else next();
    });
    fastify.addHook('onResponse', (request, reply, next) => {
      const span = this.#requests.get(request);
      span?.setAttribute('http.response.status_code', reply.statusCode);
      if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
      next();
    });
  }

  /** The last spans are sent, if that goes at once: their receiver does not decide how the process ends. */
  async close(): Promise<void> {
    const sent = this.#provider.shutdown().catch(() => undefined);
    await Promise.race([sent, setTimeout(CLOSING_MS, undefined, { ref: false })]);
    this.#contexts.disable();
  }

  #startRequest(request: FastifyRequest, route: string): Span {
    const { traceparent } = request.headers;
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'payments.request_id': request.id,
    };
    const parent = typeof traceparent === 'string' ? remote(traceparent) : ROOT_CONTEXT;
    return this.#tracer.startSpan(`${request.method} ${route}`, { kind: Kind.SERVER, attributes }, parent);
  }
}

/** A malformed `traceparent` is ignored (W3C Trace Context 1, 3.2). */
function remote(traceparent: string): Context {
  const context = parseTraceParent(traceparent);
  return context ? trace.setSpanContext(ROOT_CONTEXT, { ...context, isRemote: true }) : ROOT_CONTEXT;
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string | undefined {
  return (traceFlags & TraceFlags.SAMPLED) !== 0 ? `00-${traceId}-${spanId}-01` : undefined;
}
