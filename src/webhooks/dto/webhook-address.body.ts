import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import { addressFaults, webhookPolicy } from '../../pix/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { validate } from '../../platform/http/index.js';
import type { AddressPolicy } from '../../platform/outbound/address-policy.js';
import { WebhookAddressDto } from './webhook-address.dto.js';

/** Validates the body that names an address. All faults are reported at once. */
@Injectable()
export class WebhookAddressBody implements PipeTransform<unknown, WebhookAddressDto> {
  readonly #policy: AddressPolicy;

  constructor(@Inject(CONFIG) config: Config) {
    this.#policy = webhookPolicy(config);
  }

  transform(body: unknown): WebhookAddressDto {
    return validate(WebhookAddressDto, body, (dto) => addressFaults(dto, this.#policy));
  }
}
