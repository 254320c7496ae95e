export { AuditModule } from './audit.module.js';
export { AuditorGuard, AuditorRoute } from './auditors/auditor.guard.js';
export { Auditors, claimedAuditor } from './auditors/auditors.js';
export { addAuditCommands } from './cli/commands.js';
export { AS_OWNER, type CliContext, type CliSession } from './cli/context.js';
export { CommandRefused, HistoryAltered } from './errors.js';
export { type BalanceAt, BalanceAtReader } from './queries/balance-at/balance-at.js';
