export { clusterOf } from '../src/data-dir.ts';
export { findPostmaster, type Postmaster, stopPostmaster } from '../src/postmaster.ts';
export { type OwnerOptions, ownerProcess, type OwnerProcess } from './owner-process.ts';
