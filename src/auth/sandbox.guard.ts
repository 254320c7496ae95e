import { type CanActivate, type ExecutionContext, Inject, Injectable, UseGuards } from '@nestjs/common';
import { type Config, CONFIG } from '../platform/config/index.js';
import { AdminGuard } from './admin.guard.js';

/** Callers of the sandbox play the bank: anybody in development mode, the operator in production. */
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

/**
 * Restricts a route to callers of the sandbox. The OpenAPI document is that of development mode: it names no
 * credential.
 */
export function SandboxRoute(): MethodDecorator & ClassDecorator {
  return UseGuards(SandboxGuard);
}
