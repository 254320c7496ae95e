import { Resolver } from 'node:dns/promises';

/** Every address of a host name, IPv4 and IPv6; rejects, or returns none, for an unknown name. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/**
 * Queries the name servers directly, not by `dns.lookup`: that runs getaddrinfo on libuv's four threads, which one
 * partner's slow name server could block for all, and it adds the host's search domains and hosts file, which are
 * internal names.
 * @param servers `address:port` of name servers; the system's by default
 */
export function dnsResolver(servers?: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    // A failed address family adds no address; the other may still serve.
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
