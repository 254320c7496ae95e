export { startTracing } from './start-tracing.js';
export { type RunningSpan, type SpanAttributes, type SpanOptions, type Tracer, Tracing } from './tracing.js';
