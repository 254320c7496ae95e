/** Loopback, as PUBLIC_URL may name it. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(hostname);
}

/** What is allowed, and most likely not meant: told at the start, and by `/health/ready` for as long as it runs. */
export function configurationWarnings(config: {
  readonly production: boolean;
  readonly host: string;
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
}): string[] {
  const { protocol, hostname } = new URL(config.publicUrl);
  const isElsewhere = hostname !== config.host && !isLoopback(hostname);
  // This process speaks plain http: what is https on another host is a proxy in front of it.
  return config.production && protocol === 'https:' && isElsewhere && config.trustedProxies.length === 0
    ? [
        'TRUSTED_PROXIES: is empty, though PUBLIC_URL is https on another host. All callers behind that proxy have one ' +
          "address: allow-lists of keys do not fit, and one caller's failed logins slow down all.",
      ]
    : [];
}
