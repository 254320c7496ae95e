import { Optional, Required, text } from '../../../platform/http/index.js';
import { MAX_HEADER_NAME_LENGTH, MAX_HEADER_VALUE_LENGTH } from '../../../platform/outbound/custom-header.js';
import { MAX_URL_LENGTH } from '../../../platform/outbound/webhook-url.js';

/** Decisions 5. What the address policy and the header rules say is checked by the handler, which knows the settings. */
export class TestWebhookDto {
  @Required({ example: 'https://partner.example/webhooks/pix' }, text({ minimum: 1, maximum: MAX_URL_LENGTH }))
  url: string;

  @Optional({ example: 'X-Webhook-Source' }, text({ maximum: MAX_HEADER_NAME_LENGTH }))
  customHeaderName?: string;

  @Optional({ example: 'payments' }, text({ maximum: MAX_HEADER_VALUE_LENGTH }))
  customHeaderValue?: string;
}
