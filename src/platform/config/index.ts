export { type Config, readSettings, type Secrets, type Settings } from './config.js';
export { completeSecrets, type MadeSecrets } from './development-secrets.js';
export { ConfigurationError } from './environment.js';
export type { AdminToken } from './parsers.js';

/** Injection token of the validated configuration. */
export const CONFIG = Symbol('configuration');
