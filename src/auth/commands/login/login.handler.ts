import { Logger } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Forbidden } from '../../../platform/errors/index.js';
import { AccessKeys } from '../../access-keys.js';
import { isInAllowList } from '../../allow-list.js';
import { type AccessKey, hasExpired } from '../../domain/access-key.js';
import { EntryPoints } from '../../entry-points/entry-points.js';
import { Tokens, TOKEN_SECONDS } from '../../tokens.js';
import { BindSecret } from '../bind-secret/bind-secret.command.js';
import { LogIn, type Login } from './login.command.js';

/**
 * Exchanges an access key and its secret for a token. A login is no event, since it changes nothing; only the first one
 * with an older key binds its stored hash.
 */
@CommandHandler(LogIn)
export class LoginHandler implements ICommandHandler<LogIn> {
  readonly #logger = new Logger(LoginHandler.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly keys: AccessKeys,
    private readonly tokens: Tokens,
    private readonly entryPoints: EntryPoints,
  ) {}

  async execute({ accessKey, secret, address }: LogIn): Promise<Login> {
    const attempt = { address, credential: secret, subject: accessKey, name: accessKey };
    const key = await this.entryPoints.login.admit(
      attempt,
      () => this.#authenticate(accessKey, secret),
      'The access key or its secret is wrong.',
    );
    const now = new Date();
    const isOutsideAllowList = key.allowedIps !== null && !isInAllowList(key.allowedIps, address);
    if (key.status === 'Disabled' || hasExpired(key, now) || isOutsideAllowList) throw new Forbidden();
    if (!key.bound) await this.#bind(accessKey, secret);
    const { token, expiresAt } = this.tokens.issue(key.id, now);
    return { token, tokenType: 'Bearer', expiresIn: TOKEN_SECONDS, expiresAt: expiresAt.toISOString() };
  }

  async #authenticate(accessKey: string, secret: string): Promise<AccessKey | undefined> {
    const key = await this.keys.authenticate(accessKey, secret);
    return key?.status === 'Revoked' ? undefined : key;
  }

  /** The login succeeds without it; the next one retries. */
  async #bind(accessKey: string, secret: string): Promise<void> {
    try {
      await this.commands.execute(new BindSecret(accessKey, secret));
    } catch (error) {
      this.#logger.warn({ err: error, accessKey }, "a key's stored hash could not be bound to it");
    }
  }
}
