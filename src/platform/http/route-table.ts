import { type AppError, MethodNotAllowed, RouteNotFound } from '../errors/index.js';

/** The routes that the server knows, to tell "no such route" from "not with this method". */
export class RouteTable {
  readonly #routes: { readonly method: string; readonly path: RegExp }[] = [];

  add(method: string | readonly string[], path: string): void {
    for (const one of [method].flat()) this.#routes.push({ method: one, path: toExpression(path) });
  }

  /** What to answer where no route did. */
  refusal(method: string, url: string): AppError {
    const path = url.split('?')[0]!;
    const allowed = new Set(this.#routes.filter((route) => route.path.test(path)).map((route) => route.method));
    return allowed.size > 0 && !allowed.has(method)
      ? new MethodNotAllowed([...allowed].sort())
      : new RouteNotFound('There is no such route.');
  }
}

function toExpression(path: string): RegExp {
  const escaped = path
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[^/]+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${escaped.replace(/\/$/, '')}/?$`);
}
