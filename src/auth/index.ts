export { OperatorRoute } from './admin.guard.js';
export { AuthModule } from './auth.module.js';
export { type AccessKeyChange, ChangeAccessKey } from './commands/change-access-key/change-access-key.command.js';
export { LockOut } from './commands/login/lock-out.js';
export { IssueAccessKey, type IssuedAccessKey } from './commands/issue-access-key/issue-access-key.command.js';
export { type Permission, PERMISSIONS } from './domain/access-key.events.js';
export { type KnownOperator, Operators } from './operators.js';
export { bearer, PartnerRoute } from './partner.guard.js';
export {
  ActingOperator,
  type Authenticated,
  Caller,
  CallingViewer,
  type Operator,
  type Principal,
  type Viewer,
} from './principal.js';
export { type AccessKeyView, ListAccessKeys } from './queries/access-keys/access-keys.query.js';
export { credentialDigest, CredentialHasher } from './stored-credential.js';
export { assertFromConsole } from './sessions/same-origin.js';
export { type Session, type SessionRole, Sessions } from './sessions/sessions.js';
