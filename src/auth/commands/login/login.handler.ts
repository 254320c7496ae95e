import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AuthenticationError, Forbidden } from '../../../platform/errors/index.js';
import { AccessKeys } from '../../access-keys.js';
import { isInAllowList } from '../../allow-list.js';
import { hasExpired } from '../../domain/access-key.js';
import { Tokens, TOKEN_SECONDS } from '../../tokens.js';
import { LoginLimiter } from './login-limiter.js';
import { LockOut } from './lock-out.js';
import { LogIn, type Login } from './login.command.js';

/** Exchanges an access key and its secret for a token. Logins are not events: they change nothing. */
@CommandHandler(LogIn)
export class LoginHandler implements ICommandHandler<LogIn> {
  constructor(
    private readonly keys: AccessKeys,
    private readonly tokens: Tokens,
    private readonly lockOut: LockOut,
    private readonly limiter: LoginLimiter,
  ) {}

  async execute({ accessKey, secret, address }: LogIn): Promise<Login> {
    this.limiter.take(address);
    this.lockOut.assertOpen(accessKey, address);
    const matches = await this.keys.secretMatches(accessKey, secret);
    // Looked for only when the secret fits: a refusal is one statement, whether the key exists or not.
    const key = matches ? await this.keys.find(accessKey) : undefined;
    if (!key || key.status === 'Revoked') {
      this.lockOut.failed(accessKey, address);
      throw new AuthenticationError('The access key or its secret is wrong.');
    }
    this.lockOut.succeeded(accessKey, address);
    const now = new Date();
    const isElsewhere = key.allowedIps !== null && !isInAllowList(key.allowedIps, address);
    if (key.status === 'Disabled' || hasExpired(key, now) || isElsewhere) throw new Forbidden();
    const { token, expiresAt } = this.tokens.issue(key.id, now);
    return { token, tokenType: 'Bearer', expiresIn: TOKEN_SECONDS, expiresAt: expiresAt.toISOString() };
  }
}
