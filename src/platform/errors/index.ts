export * from './app-error.js';
export * from './error-table.js';
export * from './errors.js';
export * from './result-of.js';
