import { hash, timingSafeEqual } from 'node:crypto';
import { Body, Controller, Inject, Param, Post } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import type { ApiPixSettings } from '../../../platform/config/index.js';
import { RouteNotFound, ServiceUnavailable, ValidationError } from '../../../platform/errors/index.js';
import { Answers, done } from '../../../platform/http/index.js';
import { RailUnavailable } from '../rail-errors.js';
import { isEndToEndId } from './answer-members.js';
import type { Notified } from './dialect.js';
import { NOTIFICATION_RECEIVER, type NotificationReceiver } from './notifications.js';
import { API_PIX } from './settings.js';

class ConfirmedMovements {
  @ApiProperty() readonly confirmed: number;
}

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
      const { notified, fault } = notifiedOf(body);
      const confirmed = await this.notifications.receive(notified);
      if (fault) throw fault;
      return done({ confirmed });
    } catch (error) {
      if (!(error instanceof RailUnavailable)) throw error;
      throw new ServiceUnavailable('The PSP could not be asked. Repeat the notification.', 5);
    }
  }
}

interface Told {
  readonly notified: readonly Notified[];
  /** Of the first entry that names no payment: it holds up none of the others. */
  readonly fault?: ValidationError;
}

/** PSPs test an address with bodies of their own: without `pix` there is nothing to do. */
function notifiedOf(body: unknown): Told {
  const { pix = [] } = (body ?? {}) as { pix?: unknown };
  if (!Array.isArray(pix)) return { notified: [], fault: faultOf('pix', 'InvalidType', 'must be a list') };
  const notified = pix.filter(isNotified);
  const odd = pix.findIndex((one) => !isNotified(one));
  if (odd < 0) return { notified };
  return { notified, fault: faultOf(`pix.${odd}.endToEndId`, 'InvalidFormat', 'must be 32 letters and digits') };
}

function isNotified(one: unknown): one is Notified {
  return isEndToEndId((one as { endToEndId?: unknown } | null)?.endToEndId);
}

function faultOf(path: string, code: string, message: string): ValidationError {
  return new ValidationError([{ path, code, message, info: {} }]);
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
