import createClient from 'openapi-fetch';
import { t } from '../i18n/index.js';
import { ApiError, toApiError } from './errors.js';
import type { paths } from './schema.js';

/**
 * The service's routes, typed by its OpenAPI document. The session is an HttpOnly cookie; the header protects changes
 * from CSRF.
 */
export const api = createClient<paths>({ credentials: 'same-origin', headers: { 'X-Console': '1' } });

/** The same header, for the two routes whose types require it. */
export const FROM_CONSOLE = { header: { 'X-Console': '1' } } as const;

/** The `data` of a route's successful `GET`. */
export type Data<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': { data: infer Answer } } } } };
}
  ? Answer
  : never;

/** An item of a list's answer. */
export type Item<Path extends keyof paths> = Data<Path> extends { items: (infer One)[] } ? One : never;

/** A field that is text or null: the document gives some nullable fields no type. */
export function textOf(member: unknown): string | null {
  return typeof member === 'string' ? member : null;
}

interface Fetched<Body> {
  readonly data?: Body;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The answer's `data`; the console asks for no dry run.
 * @throws ApiError for any failure, and for a success without data: it is not the service's
 */
export async function answer<Body extends { data: unknown }>(
  fetched: Promise<Fetched<Body>>,
): Promise<Exclude<Body['data'], { dryRun: true }>> {
  const { data, error, response } = await fetched.catch(() => {
    throw new ApiError(0, 'NetworkError', t('The service does not answer. Check the connection and try again.'), null);
  });
  if (data?.data === undefined) throw toApiError(response.status, response.headers.get('x-request-id'), error);
  return data.data as Exclude<Body['data'], { dryRun: true }>;
}
