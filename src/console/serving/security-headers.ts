/**
 * What the page may do: run its own scripts, talk to its own origin, be shown in no frame. An injected script would
 * find nothing to load and nobody to tell. `data:` images are the QR codes.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

/** What the page's answers say in place of, or beside, what every answer of the service says. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
};

/** A name with a hash of its content (Vite: `index-B2x9kQ1a.js`) never means anything else. */
const HASHED = /-[\w-]{8,}\.\w+$/;

export function cacheControlOf(path: string): string {
  return HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
}
