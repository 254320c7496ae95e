import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { partitionOf } from '../event-store/index.js';
import { AuthenticationError, Forbidden } from '../platform/errors/index.js';
import { BODY_LIMIT, ByteBudget, mayBeDryRun, X_PERMISSIONS, replyOf, requestOf } from '../platform/http/index.js';
import { AccessKeys } from './access-keys.js';
import { isInAllowList } from './allow-list.js';
import { Limits, PARTNERS } from './limits/limits.js';
import { type AccessKey, hasExpired } from './domain/access-key.js';
import type { Permission } from './domain/access-key.events.js';
import type { Authenticated } from './principal.js';
import { Tokens } from './tokens.js';

const PERMISSION = 'permission';
const COUNTED = 'counted';
const MIB = 1024 * 1024;

/** How many requests a body counts for. */
type Counted = (body: unknown) => number;

/** Authenticates a partner's token: valid, its key active, from an allowed address, with the route's permission. */
@Injectable()
export class PartnerGuard implements CanActivate {
  /** Of bodies that are longer than those of most routes. */
  readonly #longBodies = new ByteBudget({ ofAll: 64 * MIB, ofOne: 16 * MIB });

  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: Tokens,
    private readonly keys: AccessKeys,
    private readonly limits: Limits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf<Authenticated>(context);
    const reply = replyOf(context);
    const { id, accountUid, partnerUid, permissions } = await this.authenticate(request, reply);
    const declaredAt = [context.getHandler(), context.getClass()];
    const counted = this.reflector.getAllAndOverride<Counted | undefined>(COUNTED, declaredAt);
    this.limits.requests.take(id, reply, counted?.(request.body));
    const wanted = this.reflector.getAllAndOverride<readonly Permission[] | undefined>(PERMISSION, declaredAt);
    if (wanted && !wanted.some((permission) => permissions.includes(permission))) throw new Forbidden();
    // It shows balances and limits.
    if (mayBeDryRun(request) && !permissions.includes('accounts:read')) throw new Forbidden();
    request.principal = { accessKey: id, accountUid, partnerUid, partition: partitionOf(accountUid)!, permissions };
    return true;
  }

  /**
   * Refuses on partners' routes that take long bodies, before the body is read: who is not known, or has nothing left
   * of the limit, costs no memory and no parsing. The guard itself counts, once the body tells how many. Who sends many
   * at once is bounded.
   */
  beforeLongBodies(fastify: FastifyInstance): void {
    // Of those routes alone: other requests pay nothing for it.
    fastify.addHook('onRoute', (route) => {
      const { bodyLimit: most } = (route.config ?? {}) as { bodyLimit?: number };
      if (most === undefined || !route.url.startsWith(PARTNERS)) return;
      route.preParsing = async (request, reply) => {
        const { id, partnerUid } = await this.authenticate(request, reply);
        this.limits.requests.check(id, reply);
        // A body without a length may become as long as the route allows.
        const bytes = Math.min(most, Number(request.headers['content-length'] ?? most));
        if (bytes > BODY_LIMIT) this.#longBodies.takeUntilAnswered(reply.raw, partnerUid, bytes);
      };
    });
  }

  /** @throws AuthenticationError; Forbidden for an address that the key does not allow */
  async authenticate(request: Authenticated, reply: FastifyReply): Promise<AccessKey> {
    const id = this.tokens.verify(bearer(request.headers.authorization));
    const key = await this.keys.find(id);
    if (!key || key.status !== 'Active' || hasExpired(key, new Date())) {
      throw new AuthenticationError('The access key of this token is no longer in use.');
    }
    // Before the request is counted: a stolen token used from elsewhere consumes nothing of the limit. Behind a proxy
    // `ip` is computed from the headers each time it is read.
    if (key.allowedIps !== null && !isInAllowList(key.allowedIps, request.ip)) {
      this.limits.requests.show(id, reply);
      throw new Forbidden();
    }
    return key;
  }
}

/** The scheme is case-insensitive and may be missing (decisions 4). */
export function bearer(header: string | undefined): string {
  const [, token] = /^(?:bearer +)?(\S+)$/i.exec(header?.trim() ?? '') ?? [];
  if (!token) throw new AuthenticationError('Send the token of the login: Authorization: Bearer <token>.');
  return token;
}

/**
 * Restricts a route to partners whose key has the permission, or one of several: the route then asks which it needs.
 * @param counted how many requests of the rate limit a body is; one, if absent
 */
export function PartnerRoute(
  permission: Permission | readonly Permission[],
  counted?: Counted,
): MethodDecorator & ClassDecorator {
  const permissions = [permission].flat();
  return applyDecorators(
    SetMetadata(PERMISSION, permissions),
    ApiExtension(X_PERMISSIONS, permissions),
    SetMetadata(COUNTED, counted),
    UseGuards(PartnerGuard),
    ApiBearerAuth(),
  );
}
