import type { IncomingMessage } from 'node:http';

const FORWARDED_FOR = 'x-forwarded-for';
const WITH_PORT = /(\d{1,3}(?:\.\d{1,3}){3}):\d+(?=\s*(?:,|$))|\[([\da-f:.]+)\](?::\d+)?(?=\s*(?:,|$))/gi;

/**
 * Some proxies (Azure's gateways) write a client's port behind its address: no allow-list would know it, and each of
 * its connections would count as another caller.
 */
export function withoutPorts({ headers }: IncomingMessage): void {
  const forwarded = headers[FORWARDED_FOR];
  if (typeof forwarded === 'string') headers[FORWARDED_FOR] = forwarded.replace(WITH_PORT, '$1$2');
}
