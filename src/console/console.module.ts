import { type DynamicModule, Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { AuthModule } from '../auth/index.js';
import { SessionController } from './session/session.controller.js';
import { ShowSessionHandler } from './session/session.handler.js';
import { SignIn } from './session/sign-in.js';

/** Serves the page for operators and auditors, and its sessions. What it shows comes from other modules' routes. */
@Module({})
export class ConsoleModule {
  static on(enabled: boolean): DynamicModule {
    if (!enabled) return { module: ConsoleModule };
    return {
      module: ConsoleModule,
      imports: [AuthModule, AuditModule],
      controllers: [SessionController],
      providers: [ShowSessionHandler, SignIn],
    };
  }
}
