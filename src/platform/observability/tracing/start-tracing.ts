import type { Config } from '../../config/index.js';
import { Tracing } from './tracing.js';

/** Loads OpenTelemetry only when tracing is configured. */
export async function startTracing({ tracing, role }: Pick<Config, 'tracing' | 'role'>): Promise<Tracing> {
  if (!tracing) return new Tracing(undefined);
  const { OpenTelemetryTracer } = await import('./open-telemetry-tracer.js');
  return new Tracing(new OpenTelemetryTracer({ ...tracing, role }));
}
