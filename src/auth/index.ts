export { AdminGuard, OperatorRoute } from './admin.guard.js';
export { AuthModule } from './auth.module.js';
export { type AccessKeyChange, ChangeAccessKey } from './commands/change-access-key/change-access-key.command.js';
export { IssueAccessKey, type IssuedAccessKey } from './commands/issue-access-key/issue-access-key.command.js';
export { type Permission, PERMISSIONS } from './domain/access-key.events.js';
export { bearer, PartnerGuard, PartnerRoute } from './partner.guard.js';
export { ActingOperator, Caller, type Operator, type Principal } from './principal.js';
