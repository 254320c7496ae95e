import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InlineProjections } from '../event-store/index.js';
import { AccessKeys } from './access-keys.js';
import { accessKeyProjection } from './access-key.projection.js';
import { AdminGuard } from './admin.guard.js';
import { BindSecretHandler } from './commands/bind-secret/bind-secret.handler.js';
import { ChangeAccessKeyHandler } from './commands/change-access-key/change-access-key.handler.js';
import { IssueAccessKeyHandler } from './commands/issue-access-key/issue-access-key.handler.js';
import { LoginController } from './commands/login/login.controller.js';
import { LoginHandler } from './commands/login/login.handler.js';
import { EntryPoints } from './entry-points/entry-points.js';
import { CountExchange } from './exchange/count-exchange.js';
import { Limits } from './limits/limits.js';
import { ListAccessKeysHandler } from './queries/access-keys/access-keys.handler.js';
import { Operators } from './operators.js';
import { PartnerGuard } from './partner.guard.js';
import { PartnerTurns } from './partner-turns.js';
import { SandboxGuard } from './sandbox.guard.js';
import { ConsoleSession } from './sessions/console-session.js';
import { Sessions } from './sessions/sessions.js';
import { Tokens } from './tokens.js';

const shared = [
  AccessKeys,
  AdminGuard,
  EntryPoints,
  Limits,
  Operators,
  PartnerGuard,
  PartnerTurns,
  SandboxGuard,
  Sessions,
  Tokens,
];

@Module({
  imports: [JwtModule.register({}), TypeOrmModule.forFeature([ConsoleSession])],
  controllers: [LoginController],
  providers: [
    ...shared,
    CountExchange,
    LoginHandler,
    BindSecretHandler,
    IssueAccessKeyHandler,
    ChangeAccessKeyHandler,
    ListAccessKeysHandler,
  ],
  exports: [...shared],
})
export class AuthModule {
  constructor(projections: InlineProjections) {
    projections.register(accessKeyProjection);
  }
}
