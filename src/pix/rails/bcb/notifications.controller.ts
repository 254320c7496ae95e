import { hash, timingSafeEqual } from 'node:crypto';
import { Body, Controller, Inject, Param, Post } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import type { ApiPixSettings } from '../../../platform/config/index.js';
import { RouteNotFound, ServiceUnavailable, ValidationError } from '../../../platform/errors/index.js';
import { Answers, done } from '../../../platform/http/index.js';
import { RailUnavailable } from '../pix-rail.js';
import type { Notified } from './dialect.js';
import { NOTIFICATION_RECEIVER, type NotificationReceiver } from './notifications.js';
import { API_PIX } from './settings.js';

class ConfirmedMovements {
  @ApiProperty() readonly confirmed: number;
}

const END_TO_END_ID = /^[A-Za-z0-9]{32}$/;

/**
 * The webhook that the PSP calls after payments and refunds (API Pix, callback of `PUT /webhook/{chave}`). The standard
 * protects it by mutual TLS, which ends at the operator's proxy; here the address itself is a secret.
 */
@ApiTags('BCB rail')
@Controller('pix/notifications')
export class BcbNotificationsController {
  readonly #token: Buffer;

  constructor(
    @Inject(NOTIFICATION_RECEIVER) private readonly notifications: NotificationReceiver,
    @Inject(API_PIX) { webhookToken }: ApiPixSettings,
  ) {
    this.#token = digestOf(webhookToken);
  }

  /** With and without the `/pix` that PSPs add by the standard: some leave it out, or test the bare address first. */
  @Post([':token', ':token/pix'])
  @Answers({
    summary: 'The PSP tells that something was paid or given back',
    description: 'A hint: what it names is read from the PSP before anything happens. May be repeated.',
    answer: ConfirmedMovements,
    example: done({ confirmed: 1 }),
    errors: [404],
    public: true,
  })
  async receive(@Param('token') token: string, @Body() body: unknown) {
    if (!timingSafeEqual(digestOf(token), this.#token)) throw new RouteNotFound('There is no such route.');
    try {
      return done({ confirmed: await this.notifications.receive(notifiedOf(body)) });
    } catch (error) {
      if (!(error instanceof RailUnavailable)) throw error;
      throw new ServiceUnavailable('The PSP could not be asked. Repeat the notification.', 5);
    }
  }
}

/** PSPs test an address with bodies of their own: without `pix` there is nothing to do. @throws ValidationError */
function notifiedOf(body: unknown): Notified[] {
  const { pix = [] } = (body ?? {}) as { pix?: unknown };
  if (!Array.isArray(pix)) throw fault('pix', 'InvalidType', 'must be a list');
  return pix.map((one: unknown, i) => {
    const { endToEndId } = (one ?? {}) as { endToEndId?: unknown };
    if (typeof endToEndId === 'string' && END_TO_END_ID.test(endToEndId)) return one as Notified;
    throw fault(`pix.${i}.endToEndId`, 'InvalidFormat', 'must be 32 letters and digits');
  });
}

function fault(path: string, code: string, message: string): ValidationError {
  return new ValidationError([{ path, code, message, info: {} }]);
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
