import { EmbeddedPostgresFailed } from './errors.ts';

/** For a small machine that other programs share. */
const DEFAULTS: Readonly<Record<string, string>> = {
  max_connections: '100',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A development log that grows by the hour helps no one.
  log_checkpoints: 'off',
  // With PostgreSQL's own 500 pages a second at most, transactions write out what they find dirty, thousands of pages.
  bgwriter_delay: '20ms',
  bgwriter_lru_maxpages: '1000',
  bgwriter_lru_multiplier: '4',
};

/** What the service promises: a success answer is durable, and nobody from outside this machine is let in. */
const FIXED: Readonly<Record<string, string>> = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  // Messages of the start are read by this service.
  lc_messages: 'C',
};

/**
 * The settings a server is started with: the caller's over the defaults.
 * @throws EmbeddedPostgresFailed if the caller's contradict one that is fixed, or a name is malformed.
 */
export function effectiveSettings(wanted: Readonly<Record<string, string>> = {}): Record<string, string> {
  for (const [name, value] of Object.entries(wanted)) {
    if (!/^[a-z_][a-z0-9_.]*$/.test(name)) throw new EmbeddedPostgresFailed(`"${name}" is not a setting's name`);
    const fixed = name === 'port' ? 'chosen at the start' : FIXED[name];
    if (fixed !== undefined && fixed !== value) {
      throw new EmbeddedPostgresFailed(`the setting ${name} cannot be "${value}", it is ${fixed}`);
    }
  }
  return { ...DEFAULTS, ...wanted, ...FIXED };
}

/** As arguments, settings win over every file in the cluster. */
export function asArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
