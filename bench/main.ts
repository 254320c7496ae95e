import { argument } from './arguments.ts';

/** `npm run bench`: all workloads, or with `--table batches` that table alone. */
await import(argument('table') === 'batches' ? './batches.ts' : './bench.ts');
