import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

type Network = [IPv4 | IPv6, number];

/**
 * Which addresses webhooks and charge look-ups may reach (contract decisions 8 and 11). Made by {@link addressPolicy}.
 */
export interface AddressPolicy {
  /** Exempt from the public-address rule. */
  readonly allowedNetworks: readonly Network[];
  /**
   * Plain http to the exempt networks. Never to public addresses: the body has personal data, the custom header may be
   * a credential.
   */
  readonly allowHttp: boolean;
  /** Development mode: loopback, over http too. */
  readonly allowLoopback: boolean;
}

/** The setting `WEBHOOK_ALLOWED_NETWORKS` has an invalid CIDR. */
export class InvalidNetwork extends Error {
  override readonly name = 'InvalidNetwork';

  constructor(text: string) {
    super(`"${text}" is not a network in CIDR form, such as 10.1.0.0/16 or fd00::/8.`);
  }
}

export type OutboundProtocol = 'http:' | 'https:';

/** The addresses of loopback names: RFC 6761 6.3 keeps such names out of DNS. */
export const LOOPBACK_ADDRESSES: readonly string[] = ['127.0.0.1', '::1'];

/**
 * `::8.8.8.8`, deprecated (RFC 4291 2.5.5.1): ipaddr.js reads it as IPv4-mapped, which is not what would be dialled.
 */
const IPV4_COMPATIBLE = /^::\d+\./;

const GLOBAL_UNICAST: Network = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Builds the policy from settings.
 * @param settings `allowedNetworks` are CIDRs or single addresses, IPv4 or IPv6
 * @throws InvalidNetwork
 */
export function addressPolicy(settings: {
  allowedNetworks?: readonly string[];
  allowHttp?: boolean;
  allowLoopback?: boolean;
}): AddressPolicy {
  return {
    allowedNetworks: (settings.allowedNetworks ?? []).map(parseNetwork),
    allowHttp: settings.allowHttp ?? false,
    allowLoopback: settings.allowLoopback ?? false,
  };
}

/** `localhost` and every name below it (RFC 6761 6.3). */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

/**
 * Whether a request may be sent to an address: public unicast over https, or what the settings exempt.
 * @param ip an IPv4 or IPv6 address in its canonical spelling; anything else (zone id, octal …) is refused
 */
export function isAllowedAddress(ip: string, policy: AddressPolicy, protocol: OutboundProtocol = 'https:'): boolean {
  // ipaddr.js reads octal, short and zoned forms as well; a dialler may read them otherwise, so they never pass.
  if (isIP(ip) === 0 || ip.includes('%') || IPV4_COMPATIBLE.test(ip)) return false;
  const address = ipaddr.process(ip);
  if (policy.allowLoopback && address.range() === 'loopback') return true;
  const exempt = policy.allowedNetworks.some((network) => within(address, network));
  if (protocol === 'http:') return exempt && policy.allowHttp;
  return exempt || isPublicUnicast(address);
}

/**
 * IANA's special-purpose registries, as ipaddr.js knows them: private, CGNAT, link-local, ULA, NAT64, 6to4, Teredo,
 * documentation, benchmarking and so on are none of them `unicast`. For IPv6 ipaddr.js calls the unallocated rest
 * unicast too; global unicast is 2000::/3 only (RFC 4291 2.4, IANA).
 */
function isPublicUnicast(address: IPv4 | IPv6): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || within(address, GLOBAL_UNICAST));
}

function within(address: IPv4 | IPv6, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function parseNetwork(text: string): Network {
  const [ip = '', bits, more] = text.trim().split('/');
  const family = isIP(ip);
  const widest = family === 4 ? 32 : 128;
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
  if (family === 0 || ip.includes('%') || more !== undefined || !(prefix <= widest)) throw new InvalidNetwork(text);
  return [ipaddr.parse(ip), prefix];
}
