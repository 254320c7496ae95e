import { newId, type PersonalDataCodec, type SecretToStore } from '../../event-store/index.js';
import { customHeader } from '../../platform/outbound/custom-header.js';
import type { WebhookAddress } from '../domain/webhook.events.js';
import type { WebhookAddressDto } from './webhook-address.dto.js';

/** An address as events store it, and its header's value as a secret. */
export function keptAddress(
  { url, customHeaderName, customHeaderValue }: WebhookAddressDto,
  partition: number,
  codec: PersonalDataCodec,
): { address: WebhookAddress; secrets: readonly SecretToStore[] } {
  const [header] = Object.entries(customHeader(customHeaderName, customHeaderValue));
  if (!header) return { address: { url }, secrets: [] };
  const [name, value] = header;
  const secretId = newId(partition);
  return {
    address: { url, header: { name, secretId } },
    secrets: [{ id: secretId, value: codec.sealSecret(secretId, value) }],
  };
}
