/** Another running process owns the server of this data folder. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
  readonly dataDir: string;
  readonly pid: number | undefined;

  constructor(dataDir: string, pid?: number) {
    super(`another process (pid ${pid ?? 'unknown'}) already runs on ${dataDir}`);
    this.dataDir = dataDir;
    this.pid = pid;
  }
}

/** The data folder cannot be used as it is, by this user or with this PostgreSQL; the message says what to do. */
export class DataDirUnusable extends Error {
  override readonly name = 'DataDirUnusable';
  readonly dataDir: string;

  constructor(dataDir: string, reason: string, options?: ErrorOptions) {
    super(`${dataDir} cannot hold the embedded PostgreSQL: ${reason}`, options);
    this.dataDir = dataDir;
  }
}

/** PostgreSQL itself could not be prepared or started. The end of its own log is in `logTail` and in the message. */
export class EmbeddedPostgresFailed extends Error {
  override readonly name = 'EmbeddedPostgresFailed';
  readonly logTail: string;

  constructor(reason: string, logTail = '', options?: ErrorOptions) {
    super(logTail ? `embedded PostgreSQL: ${reason}\n${logTail}` : `embedded PostgreSQL: ${reason}`, options);
    this.logTail = logTail;
  }
}

/**
 * True if the error comes from the system or the server with one of these codes (`ENOENT`, a SQLSTATE …). Not by
 * `instanceof`: Node's own errors are of another realm where the code runs in a vm context, as under Jest.
 */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}
