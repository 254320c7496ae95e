import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { InlineProjections } from '../event-store/index.js';
import { AccessKeys } from './access-keys.js';
import { accessKeyProjection } from './access-key.projection.js';
import { AdminGuard } from './admin.guard.js';
import { ChangeAccessKeyHandler } from './commands/change-access-key/change-access-key.handler.js';
import { IssueAccessKeyHandler } from './commands/issue-access-key/issue-access-key.handler.js';
import { LockOut } from './commands/login/lock-out.js';
import { LoginController } from './commands/login/login.controller.js';
import { LoginHandler } from './commands/login/login.handler.js';
import { PartnerGuard } from './partner.guard.js';
import { RateLimiter } from './rate-limiter.js';
import { Tokens } from './tokens.js';

const shared = [AccessKeys, AdminGuard, PartnerGuard, RateLimiter, Tokens];

@Module({
  imports: [JwtModule.register({})],
  controllers: [LoginController],
  providers: [...shared, LockOut, LoginHandler, IssueAccessKeyHandler, ChangeAccessKeyHandler],
  exports: [...shared],
})
export class AuthModule {
  constructor(projections: InlineProjections) {
    projections.register(accessKeyProjection);
  }
}
