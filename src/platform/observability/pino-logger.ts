import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { errorRecord } from './error-record.js';
import { standardOutput } from './log-output.js';
import type { Tracer, Tracing } from './tracing/index.js';

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
  const logger = pino(options, standardOutput);
  standardOutput.onLost((lost) => logger.warn({ lost }, 'log records were lost: they were not taken in time'));
  return logger;
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
