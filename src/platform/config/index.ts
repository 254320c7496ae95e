export type { ApiPixSettings } from './bcb-settings.js';
export type { EfiSettings } from './efi-settings.js';
export { type Config, processEnvironment, readSettings } from './config.js';
export { aboutMade, completeSecrets } from './development-secrets.js';
export { ConfigurationError } from './environment.js';
export { configurationWarnings } from './warnings.js';
export type { Secrets } from './secrets.js';

/** Injection token of the validated configuration. */
export const CONFIG = Symbol('configuration');
