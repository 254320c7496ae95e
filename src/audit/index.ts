export { AuditModule } from './audit.module.js';
export { addAuditCommands } from './cli/commands.js';
export { type CliContext, type CliSession, CommandRefused } from './cli/context.js';
