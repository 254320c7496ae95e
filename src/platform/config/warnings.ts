/** Loopback hosts in PUBLIC_URL. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(hostname);
}

/** Allowed settings that are probably mistakes: logged at start, and reported by `/health/ready`. */
export function configurationWarnings(config: {
  readonly production: boolean;
  readonly host: string;
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
}): string[] {
  const { protocol, hostname } = new URL(config.publicUrl);
  const isElsewhere = hostname !== config.host && !isLoopback(hostname);
  // This process serves plain http: https on another host means a reverse proxy.
  return config.production && protocol === 'https:' && isElsewhere && config.trustedProxies.length === 0
    ? [
        'TRUSTED_PROXIES: is empty, though PUBLIC_URL is https on another host. All callers behind that proxy have one ' +
          "address: allow-lists of keys do not fit, and one caller's failed logins slow down all.",
      ]
    : [];
}
