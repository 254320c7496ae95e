export { AccessKeys } from './access-keys.js';
export { AdminGuard, OperatorRoute } from './admin.guard.js';
export { SandboxRoute } from './sandbox.guard.js';
export { AuthModule } from './auth.module.js';
export {
  type AccessKeyChange,
  ChangeAccessKey,
  ChangedAccessKey,
} from './commands/change-access-key/change-access-key.command.js';
export { IssueAccessKey, IssuedAccessKey } from './commands/issue-access-key/issue-access-key.command.js';
export { EntryPoints } from './entry-points/entry-points.js';
export { isOfPartners, Limits } from './limits/limits.js';
export { AccessKeyIssued, type AccessKeyStatus, type Permission, PERMISSIONS } from './domain/access-key.events.js';
export { Operators } from './operators.js';
export { bearer, PartnerGuard, PartnerRoute } from './partner.guard.js';
export { ReadsInTurn } from './partner-turns.js';
export {
  ActingOperator,
  keyActor,
  type Authenticated,
  Caller,
  CallingViewer,
  isCounted,
  maySee,
  type Operator,
  operatorActor,
  type Principal,
  type Viewer,
} from './principal.js';
export { ACCESS_KEY_STATUS, AccessKeyView, ListAccessKeys } from './queries/access-keys/access-keys.query.js';
export { StoredCredentials } from './stored-credential.js';
export { assertFromConsole } from './sessions/same-origin.js';
export type { SessionRole } from './sessions/console-session.js';
export { provesKeyPepper } from './sessions/session-seal.js';
export { type Session, Sessions } from './sessions/sessions.js';
