import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { validate } from '../../../platform/http/index.js';
import { addressPolicy, type AddressPolicy } from '../../../platform/outbound/address-policy.js';
import { TestWebhookDto, testWebhookFaults } from './test-webhook.dto.js';

/** Validates the body of a webhook test. All faults are reported at once. */
@Injectable()
export class TestWebhookBody implements PipeTransform<unknown, TestWebhookDto> {
  readonly #policy: AddressPolicy;

  constructor(@Inject(CONFIG) { webhooks, production }: Config) {
    this.#policy = addressPolicy({ ...webhooks, allowLoopback: !production });
  }

  transform(body: unknown): TestWebhookDto {
    return validate(TestWebhookDto, body, (dto) => testWebhookFaults(dto, this.#policy));
  }
}
