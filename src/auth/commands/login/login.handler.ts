import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Forbidden } from '../../../platform/errors/index.js';
import { AccessKeys } from '../../access-keys.js';
import { isInAllowList } from '../../allow-list.js';
import { type AccessKey, hasExpired } from '../../domain/access-key.js';
import { Doors } from '../../doors/doors.js';
import { Tokens, TOKEN_SECONDS } from '../../tokens.js';
import { LogIn, type Login } from './login.command.js';

/** Exchanges an access key and its secret for a token. Logins are not events: they change nothing. */
@CommandHandler(LogIn)
export class LoginHandler implements ICommandHandler<LogIn> {
  constructor(
    private readonly keys: AccessKeys,
    private readonly tokens: Tokens,
    private readonly doors: Doors,
  ) {}

  async execute({ accessKey, secret, address }: LogIn): Promise<Login> {
    const attempt = { address, credential: secret, subject: accessKey, name: accessKey };
    const key = await this.doors.login.admit(
      attempt,
      () => this.#open(accessKey, secret),
      'The access key or its secret is wrong.',
    );
    const now = new Date();
    const isElsewhere = key.allowedIps !== null && !isInAllowList(key.allowedIps, address);
    if (key.status === 'Disabled' || hasExpired(key, now) || isElsewhere) throw new Forbidden();
    const { token, expiresAt } = this.tokens.issue(key.id, now);
    return { token, tokenType: 'Bearer', expiresIn: TOKEN_SECONDS, expiresAt: expiresAt.toISOString() };
  }

  /** The key is looked for only when the secret fits: a refusal is one statement, whether the key exists or not. */
  async #open(accessKey: string, secret: string): Promise<AccessKey | undefined> {
    if (!(await this.keys.secretMatches(accessKey, secret))) return undefined;
    const key = await this.keys.find(accessKey);
    return key?.status === 'Revoked' ? undefined : key;
  }
}
