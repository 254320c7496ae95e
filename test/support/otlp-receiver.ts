import { createServer } from 'node:http';
import { listenOnLoopback } from './loopback.js';

/** A span as it was sent, with what the tests look at. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** Span ids of its links. */
  readonly links: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 2 is an error. */
  readonly status: number | undefined;
  /** `payments.role` of the process that made it. */
  readonly role: unknown;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Record<string, unknown>;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  close(): Promise<void>;
}

/** A receiver of OTLP over HTTP with JSON bodies, as a collector is. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.method === 'POST' && request.url === '/v1/traces') spans.push(...spansOf(JSON.parse(body)));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  const { port, close } = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}`, spans, close };
}

function spansOf({ resourceSpans }: any): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || undefined,
        links: (span.links ?? []).map((link: { spanId: string }) => link.spanId),
        attributes: attributesOf(span.attributes),
        status: span.status?.code,
        role: attributesOf(resource.attributes)['payments.role'],
      })),
    ),
  );
}

function attributesOf(attributes: readonly OtlpAttribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
