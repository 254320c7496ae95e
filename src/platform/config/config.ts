import { availableParallelism } from 'node:os';
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule, type RetrySchedule } from '../outbound/retry-schedule.js';
import { type BcbSettings, readBcbSettings } from './bcb-settings.js';
import { type EfiSettings, readEfiSettings } from './efi-settings.js';
import { EnvironmentReader } from './environment.js';
import * as parse from './parsers.js';
import type { Secrets } from './secrets.js';
import { isLoopback } from './warnings.js';
import { weakSecrets } from './weak-secrets.js';

/** Every setting of the service, validated. Times are in the unit that the name says; amounts are centavos. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Absent: an embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** URL of the database's owner, for schema changes; absent: `databaseUrl` is the owner's. */
  readonly migrationDatabaseUrl: string | undefined;
  readonly dataDir: string;
  readonly publicUrl: string;
  readonly role: 'all' | 'api' | 'worker';
  /** Processes that share the port and the partitions; with more than one there is a primary process beside them. */
  readonly workers: number;
  readonly partitions: number;
  /** Whether the start migrates the database; else it only checks that `ledger migrate` was run. */
  readonly migrateAtStart: boolean;
  /** Whether an empty database gets a demo partner: in development mode only. */
  readonly demoPartner: boolean;
  /** Whether partitions on Citus are reached at their own nodes, not through the coordinator. */
  readonly citusDirect: boolean;
  readonly logLevel: string;
  readonly trustedProxies: readonly string[];
  /** Requests of one access key; 0 is no limit. */
  readonly rateLimitPerSecond: number;
  /** Logins of one address; 0 is no limit. */
  readonly loginRateLimitPerSecond: number;
  /** Answers that no other limit counts, to callers of one network who are not known; 0 is no pace. */
  readonly anonymousPacePerSecond: number;
  /** Commands in one commit at most. */
  readonly batchSize: number;
  readonly queueSize: number;
  /** Requests in progress. */
  readonly mostRequests: number;
  /** Open connections of this process, and of one address (a /64 of IPv6) that is no trusted proxy. */
  readonly mostConnections: number;
  readonly mostConnectionsPerAddress: number;
  /** Deadline of the shutdown. */
  readonly shutdownSeconds: number;
  readonly pixRail: 'sandbox' | 'bcb' | 'efi';
  /** Present where `pixRail` is `bcb`. */
  readonly bcb: BcbSettings | undefined;
  /** Present where `pixRail` is `efi`. */
  readonly efi: EfiSettings | undefined;
  readonly institution: { readonly name: string; readonly ispb: string };
  readonly merchantCity: string;
  readonly pixKey: string;
  readonly cashInExpirySeconds: number;
  /** How long a raise of an account's limits waits. */
  readonly limitRaiseDelaySeconds: number;
  readonly retentionYears: number;
  readonly checkpoints: {
    readonly intervalSeconds: number;
    /**
     * Folder with the newest signed checkpoint of every partition, outside of the database. Absent: one for each
     * database, in `dataDir`.
     */
    readonly folder: string | undefined;
    /** The witness that cosigns checkpoints, and its key; both or none. */
    readonly witnessUrl: string | undefined;
    readonly witnessKey: string | undefined;
    /** Verifier keys (vkeys) that signed before `checkpointSigningKey` did. */
    readonly retiredKeys: readonly string[];
  };
  readonly webhooks: {
    /** Waits before each attempt, in milliseconds. */
    readonly retrySchedule: RetrySchedule;
    readonly allowedNetworks: readonly string[];
    readonly allowHttp: boolean;
    /** Tests and redeliveries of one partner; 0 is no limit. */
    readonly requestsPerSecond: number;
  };
  /** Absent: tracing is off. */
  readonly tracing: { readonly endpoint: string; readonly serviceName: string; readonly ratio: number } | undefined;
  /** The page for operators and auditors, `/console`. */
  readonly console: {
    readonly enabled: boolean;
    /** Folder of its build. */
    readonly folder: string;
    /** Maximum and idle lifetime of a session. */
    readonly sessionSeconds: number;
    readonly idleSeconds: number;
  };
  readonly secrets: Secrets;
}

/** Settings from the environment: secrets may be missing in development mode. */
export interface Settings extends Omit<Config, 'secrets'> {
  readonly secrets: Partial<Secrets>;
}

const SECRETS = [
  'ADMIN_TOKEN',
  'JWT_SECRET',
  'KEY_PEPPER',
  'MASTER_KEY',
  'CHECKPOINT_SIGNING_KEY',
  'PAYLOAD_SIGNING_KEY',
] as const;

/**
 * Reads and validates all settings.
 * @throws ConfigurationError naming every setting that is wrong, and in production those that are missing
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>> = process.env): Settings {
  const env = new EnvironmentReader(environment);
  const production = env.withDefault('NODE_ENV', parse.production, false);
  const port = env.withDefault('PORT', parse.integer(0, 65535), 3000);
  const host = env.withDefault('HOST', parse.host, '127.0.0.1');
  const dataDir = env.withDefault('DATA_DIR', (text) => text, '.data');
  const ownUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const publicUrl = env.withDefault('PUBLIC_URL', parse.url, ownUrl);
  const pixRail = env.withDefault('PIX_RAIL', parse.oneOf('sandbox', 'bcb', 'efi'), 'sandbox');
  const otlpEndpoint = env.optional('OTEL_EXPORTER_OTLP_ENDPOINT', parse.url);
  const traces = {
    serviceName: env.withDefault('OTEL_SERVICE_NAME', (text) => text, 'partner-payments-service'),
    ratio: env.withDefault('OTEL_TRACES_SAMPLER_ARG', parse.ratio, 1),
  };
  const settings: Settings = {
    production,
    host,
    port,
    databaseUrl: env.optional('DATABASE_URL', parse.databaseUrl),
    migrationDatabaseUrl: env.optional('MIGRATION_DATABASE_URL', parse.databaseUrl),
    dataDir,
    publicUrl,
    role: env.withDefault('ROLE', parse.oneOf('all', 'api', 'worker'), 'all'),
    // The other half of the cores is for PostgreSQL.
    workers: env.withDefault('WORKERS', parse.integer(1, 64), Math.max(1, Math.floor(availableParallelism() / 2))),
    partitions: env.withDefault('LEDGER_PARTITIONS', parse.integer(1, 4095), 2),
    migrateAtStart: env.withDefault('MIGRATE_AT_START', parse.flag, true),
    demoPartner: env.withDefault('DEMO_PARTNER', parse.flag, true) && !production,
    citusDirect: env.withDefault('CITUS_DIRECT', parse.flag, true),
    logLevel: env.withDefault('LOG_LEVEL', parse.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'), 'info'),
    trustedProxies: env.withDefault('TRUSTED_PROXIES', parse.proxies, []),
    rateLimitPerSecond: env.withDefault('RATE_LIMIT_PER_SECOND', parse.integer(0, 1_000_000), 500),
    loginRateLimitPerSecond: env.withDefault('LOGIN_RATE_LIMIT_PER_SECOND', parse.integer(0, 1_000_000), 20),
    anonymousPacePerSecond: env.withDefault('ANONYMOUS_PACE_PER_SECOND', parse.integer(0, 1_000_000), 200),
    batchSize: env.withDefault('LEDGER_BATCH_SIZE', parse.integer(1, 4096), 256),
    queueSize: env.withDefault('LEDGER_QUEUE_SIZE', parse.integer(1, 1_000_000), 4096),
    mostRequests: env.withDefault('MAX_REQUESTS', parse.integer(1, 1_000_000), 10_000),
    mostConnections: env.withDefault('MAX_CONNECTIONS', parse.integer(1, 1_000_000), 20_000),
    mostConnectionsPerAddress: env.withDefault('MAX_CONNECTIONS_PER_ADDRESS', parse.integer(1, 1_000_000), 5_000),
    shutdownSeconds: env.withDefault('SHUTDOWN_SECONDS', parse.integer(6, 3_600), 25),
    pixRail,
    bcb: pixRail === 'bcb' ? readBcbSettings(env, publicUrl) : undefined,
    efi: pixRail === 'efi' ? readEfiSettings(env, publicUrl) : undefined,
    institution: {
      name: env.withDefault('INSTITUTION_NAME', (text) => text, 'Instituicao Exemplo IP S.A.'),
      ispb: env.withDefault('INSTITUTION_ISPB', parse.ispb, '12345678'),
    },
    merchantCity: env.withDefault(
      'MERCHANT_CITY',
      parse.matching(/^[\x20-\x7e]{1,15}$/, 'must be 1 to 15 ASCII characters'),
      'SAO PAULO',
    ),
    pixKey: env.withDefault('PIX_KEY', (text) => text, '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'),
    cashInExpirySeconds: env.withDefault('CASHIN_EXPIRY_SECONDS', parse.integer(1, 31_536_000), 86_400),
    limitRaiseDelaySeconds: env.withDefault('LIMIT_RAISE_DELAY_SECONDS', parse.integer(0, 2_592_000), 86_400),
    retentionYears: env.withDefault('RETENTION_YEARS', parse.integer(0, 100), 10),
    checkpoints: {
      intervalSeconds: env.withDefault('CHECKPOINT_INTERVAL_SECONDS', parse.integer(1, 86_400), 60),
      folder: env.optional('CHECKPOINT_DIR', (text) => text),
      witnessUrl: env.optional('CHECKPOINT_WITNESS_URL', parse.url),
      witnessKey: env.optional(
        'CHECKPOINT_WITNESS_KEY',
        parse.matching(/^[^\s+]+\+[0-9a-f]{8}\+B[A-Za-z0-9+/]{43}$/, 'must be <name>+<key id>+<base64>, of type 4'),
      ),
      retiredKeys: env.withDefault('CHECKPOINT_RETIRED_KEYS', parse.words, []),
    },
    webhooks: {
      retrySchedule: env.withDefault(
        'WEBHOOK_RETRY_SCHEDULE',
        parseRetrySchedule,
        parseRetrySchedule(DEFAULT_RETRY_SCHEDULE),
      ),
      allowedNetworks: env.withDefault('WEBHOOK_ALLOWED_NETWORKS', parse.outboundNetworks, []),
      allowHttp: env.withDefault('WEBHOOK_ALLOW_HTTP', parse.flag, false),
      requestsPerSecond: env.withDefault('WEBHOOK_RATE_LIMIT_PER_SECOND', parse.integer(0, 1_000_000), 50),
    },
    tracing: otlpEndpoint === undefined ? undefined : { endpoint: otlpEndpoint, ...traces },
    console: {
      enabled: env.withDefault('CONSOLE', parse.flag, true),
      folder: env.withDefault('CONSOLE_DIR', (text) => text, 'console/dist'),
      sessionSeconds: env.withDefault('CONSOLE_SESSION_SECONDS', parse.integer(1, 604_800), 28_800),
      idleSeconds: env.withDefault('CONSOLE_IDLE_SECONDS', parse.integer(1, 604_800), 1_800),
    },
    secrets: {
      adminTokens: env.optional('ADMIN_TOKEN', parse.adminTokens),
      jwtSecret: env.optional('JWT_SECRET', parse.matching(/^.{32,}$/, 'must have at least 32 characters')),
      keyPepper: env.optional('KEY_PEPPER', parse.key32),
      masterKey: env.optional('MASTER_KEY', parse.key32),
      checkpointSigningKey: env.optional('CHECKPOINT_SIGNING_KEY', parse.privateKey),
      payloadSigningKey: env.optional('PAYLOAD_SIGNING_KEY', parse.privateKey),
    },
  };
  if (settings.migrationDatabaseUrl !== undefined) {
    env.demand('DATABASE_URL', 'must be set beside MIGRATION_DATABASE_URL');
  }
  if (settings.checkpoints.witnessUrl !== undefined) {
    env.demand('CHECKPOINT_WITNESS_KEY', 'must be set beside CHECKPOINT_WITNESS_URL');
  }
  if (production) demandForProduction(env, settings);
  else if (!URL.canParse(publicUrl)) env.demand('PUBLIC_URL', 'must be set where HOST makes no URL, as with a zone');
  env.assertSound();
  return settings;
}

function demandForProduction(env: EnvironmentReader, settings: Settings): void {
  const { publicUrl, secrets, databaseUrl, migrationDatabaseUrl } = settings;
  for (const name of SECRETS) env.demand(name, 'must be set in production');
  env.demand('DATABASE_URL', 'must be set in production: the embedded PostgreSQL is for development');
  env.demand('PIX_RAIL', 'must be named in production, the sandbox too');
  env.demand('PUBLIC_URL', 'must be set in production');
  env.problems.push(
    ...weakSecrets(secrets, { DATABASE_URL: databaseUrl, MIGRATION_DATABASE_URL: migrationDatabaseUrl }),
  );
  // The default of a host with a zone (`fe80::1%eth0`) is no URL.
  const url = URL.parse(publicUrl);
  if (url?.protocol !== 'https:' && !isLoopback(url?.hostname ?? '')) {
    env.problems.push('PUBLIC_URL: must be https in production, unless it is loopback');
  }
}

/** What this process was given beside the settings: its place among the workers, and flags of Node. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
