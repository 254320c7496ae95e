export { startTracing } from './start-tracing.js';
export { type Tracer, Tracing } from './tracing.js';
