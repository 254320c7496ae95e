import { newId, type PersonalDataCodec, type SecretToStore } from '../../event-store/index.js';
import type { Config } from '../../platform/config/index.js';
import type { LocatedFault } from '../../platform/http/index.js';
import { type AddressPolicy, addressPolicy } from '../../platform/outbound/address-policy.js';
import { customHeader, customHeaderFaults } from '../../platform/outbound/custom-header.js';
import { checkOutboundUrl, type UrlCheck } from '../../platform/outbound/outbound-url.js';
import type { WebhookTarget } from '../domain/events/shared.js';
import type { WebhookDto } from './members.dto.js';

/** Where notifications may go, by the settings (decisions 8 and 11). */
export function webhookPolicy({ production, webhooks }: Config): AddressPolicy {
  return addressPolicy({ ...webhooks, allowLoopback: !production });
}

/** Faults of the webhook of a body. */
export function webhookFaults(webhook: WebhookDto | undefined, policy: AddressPolicy): LocatedFault[] {
  if (typeof webhook !== 'object' || webhook === null) return [];
  return addressFaults(webhook, policy).map(({ path, ...fault }) => ({ path: `webhook.${path}`, ...fault }));
}

/** Faults of an address and its custom header. DNS is not asked here (decisions 8). */
export function addressFaults(address: WebhookDto, policy: AddressPolicy): LocatedFault[] {
  const { url, customHeaderName, customHeaderValue } = address;
  const checked = typeof url === 'string' ? checkedUrl(url, policy) : undefined;
  return [
    ...(checked?.ok === false ? [{ path: 'url', ...checked.fault }] : []),
    ...customHeaderFaults(customHeaderName, customHeaderValue),
  ];
}

/** The items of a request name one address, mostly: by policy, what was found of the last one. */
const lastChecked = new WeakMap<AddressPolicy, { readonly url: string; readonly check: UrlCheck }>();

function checkedUrl(url: string, policy: AddressPolicy): UrlCheck {
  let last = lastChecked.get(policy);
  if (last?.url !== url) lastChecked.set(policy, (last = { url, check: checkOutboundUrl(url, policy) }));
  return last.check;
}

/** Where notifications go, as plain values. */
export interface RequestedWebhook {
  readonly url: string;
  readonly header?: { readonly name: string; readonly value: string };
}

export function requestedWebhook({ url, customHeaderName, customHeaderValue }: WebhookDto): RequestedWebhook {
  const header = customHeader(customHeaderName, customHeaderValue);
  return { url, ...(header && { header }) };
}

interface KeptWebhook {
  readonly webhook: WebhookTarget;
  readonly secrets: readonly SecretToStore[];
}

/** The target as events store it, and its header's value as a secret. */
export function keepWebhook(
  { url, header }: RequestedWebhook,
  partition: number,
  codec: PersonalDataCodec,
): KeptWebhook {
  if (!header) return { webhook: { url }, secrets: [] };
  const secretId = newId(partition);
  return {
    webhook: { url, header: { name: header.name, secretId } },
    secrets: [{ id: secretId, value: codec.sealSecret(secretId, header.value) }],
  };
}
