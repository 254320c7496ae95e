import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * A caller's network, as a key of limits: one customer has a whole /64 of IPv6 (RFC 6177),
 * so its addresses are one; an IPv4 address in its IPv6 form is that IPv4 address.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
