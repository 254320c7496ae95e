import createClient from 'openapi-fetch';
import { t } from '../i18n/index.js';
import { ApiError, toApiError } from './errors.js';
import type { paths } from './schema.js';

/**
 * The service's routes, typed by its own document. The session is a cookie that no script reads; the header tells the
 * service that a change comes from this page.
 */
export const api = createClient<paths>({ credentials: 'same-origin', headers: { 'X-Console': '1' } });

/** The same header for the two routes whose types ask for it. */
export const FROM_CONSOLE = { header: { 'X-Console': '1' } } as const;

/** What a successful `GET` of a route has as `data`. */
export type Data<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': { data: infer Answer } } } } };
}
  ? Answer
  : never;

/** The element of a list's answer. */
export type Item<Path extends keyof paths> = Data<Path> extends { items: (infer One)[] } ? One : never;

/** A member that is text or null; the document gives no type to some that may be null. */
export function textOf(member: unknown): string | null {
  return typeof member === 'string' ? member : null;
}

interface Fetched<Body> {
  readonly data?: Body;
  readonly error?: unknown;
  readonly response: Response;
}

/** The answer's `data`. @throws ApiError for everything else */
export async function answer<Answer>(fetched: Promise<Fetched<{ data: Answer }>>): Promise<Answer> {
  const { data, error, response } = await fetched.catch(() => {
    throw new ApiError(0, 'NetworkError', t('The service does not answer. Check the connection and try again.'), null);
  });
  if (data === undefined) throw toApiError(response.status, response.headers.get('x-request-id'), error);
  return data.data;
}
