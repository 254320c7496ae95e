import { type CanActivate, type ExecutionContext, Inject, Injectable, UseGuards } from '@nestjs/common';
import { type Config, CONFIG } from '../platform/config/index.js';
import { AdminGuard } from './admin.guard.js';

/** Whoever reaches the sandbox plays the bank: in development mode that is anybody, in production the operator. */
@Injectable()
export class SandboxGuard implements CanActivate {
  constructor(
    private readonly admin: AdminGuard,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): Promise<boolean> | boolean {
    return this.config.production ? this.admin.canActivate(context) : true;
  }
}

/** The one line that says a route is the sandbox's. The document is that of development mode: it names no credential. */
export function SandboxRoute(): MethodDecorator & ClassDecorator {
  return UseGuards(SandboxGuard);
}
