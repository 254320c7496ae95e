/**
 * Content security policy of the page: its own scripts, its own origin, no frames. An injected script could load and
 * send nothing. `data:` images are the QR codes.
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

/** Headers of the page, in place of or beside those of every answer of the service. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
};

/** A name with a content hash (Vite: `index-B2x9kQ1a.js`) never changes its content. */
const HASHED = /-[\w-]{8,}\.\w+$/;

export function cacheControlOf(path: string): string {
  return HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
}
