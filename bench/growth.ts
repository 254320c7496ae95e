import { argument } from './arguments.ts';

/** What grows: the log (`--events 10000000`), or the accounts (`--accounts 500000 --partners 5000`). */
await import(argument('accounts') === undefined ? './growth-events.ts' : './growth-accounts.ts');
