import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { validate } from '../../platform/http/index.js';
import { addressPolicy, type AddressPolicy } from '../../platform/outbound/address-policy.js';
import { WebhookAddressDto, webhookAddressFaults } from './webhook-address.dto.js';

/** Validates the body that names an address. All faults are reported at once. */
@Injectable()
export class WebhookAddressBody implements PipeTransform<unknown, WebhookAddressDto> {
  readonly #policy: AddressPolicy;

  constructor(@Inject(CONFIG) { webhooks, production }: Config) {
    this.#policy = addressPolicy({ ...webhooks, allowLoopback: !production });
  }

  transform(body: unknown): WebhookAddressDto {
    return validate(WebhookAddressDto, body, (dto) => webhookAddressFaults(dto, this.#policy));
  }
}
