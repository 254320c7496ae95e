import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import { errorRecord } from './error-record.js';
import type { Tracer, Tracing } from './tracing/index.js';

/** How long the end of a process waits for a reader of its log that takes nothing, and for one that takes little. */
const UNREAD_MS = 1_000;
const WRITTEN_MS = 5_000;

/** The field with the trace id, when tracing is on. */
export const TRACE_ID = 'trace_id';

function traceOf(tracer: Tracer): Record<string, string> {
  const id = tracer.currentTraceId();
  return id === undefined ? {} : { [TRACE_ID]: id };
}

/**
 * One JSON line per log record, to standard output. Bodies and headers are never logged: they hold secrets and personal
 * data.
 * @param worker number of the worker that writes, where the service has several
 */
export function createLogger(level: string, { tracer }: Partial<Tracing> = {}, worker?: number): Logger {
  const options = {
    level,
    ...(tracer && { mixin: () => traceOf(tracer) }),
    base: worker === undefined ? null : { worker },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => errorRecord(error) },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  // With a length of 0 a flush would wait for nothing.
  return pino(options, pino.destination({ sync: false, minLength: 1 }));
}

/**
 * Before a process ends itself: what was logged is written, as far as somebody reads it. At the end pino would try again
 * for ever, with a reader that is gone too.
 */
export async function written(logger: Logger): Promise<void> {
  const output = (logger as unknown as Record<symbol, DestinationStream & EventEmitter>)[pino.symbols.streamSym]!;
  await Promise.race([new Promise((resolve) => logger.flush(resolve)), unread(output)]);
  Object.assign(output, { flushSync: () => undefined });
}

/** Until nobody has taken any of it for a while. */
async function unread(output: EventEmitter): Promise<void> {
  const began = performance.now();
  let takenAt = began;
  output.on('write', () => (takenAt = performance.now()));
  while (performance.now() < Math.min(takenAt + UNREAD_MS, began + WRITTEN_MS)) await sleep(50);
}

/** Log lines of Nest and of our classes as pino records. `Logger.warn({ err, … }, message)` keeps its fields. */
export class PinoLoggerService implements LoggerService {
  constructor(private readonly pino: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.#write(isChatter(rest) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.#write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.#write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.#write('fatal', message, rest);
  }

  #write(level: 'debug' | 'info' | 'warn' | 'error' | 'fatal', message: unknown, rest: readonly unknown[]): void {
    const texts = rest.filter((one) => typeof one === 'string');
    const context = texts.at(-1);
    if (message instanceof Error) this.pino[level]({ err: message, context }, message.message);
    else if (typeof message === 'object') this.pino[level]({ ...message, context }, texts[0]);
    else this.pino[level]({ context }, message as string);
  }
}

/** Nest logs every module and route at start: useful to developers only. */
function isChatter(rest: readonly unknown[]): boolean {
  return ['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory'].includes(rest.at(-1) as string);
}
