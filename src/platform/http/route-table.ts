import { type AppError, MethodNotAllowed, RouteNotFound } from '../errors/index.js';

/** The server's routes, to distinguish 404 from 405. */
export class RouteTable {
  /** By path, as routes are declared. */
  readonly #routes = new Map<string, { readonly expression: RegExp; readonly methods: Set<string> }>();

  add(method: string | readonly string[], path: string): void {
    const known = this.#routes.get(path) ?? { expression: toExpression(path), methods: new Set() };
    this.#routes.set(path, known);
    for (const one of [method].flat()) known.methods.add(one);
  }

  /** Whether a path is declared as it is written, without parameters: a route with parameters may match it too. */
  names(url: string): boolean {
    return this.#routes.has(url.split('?')[0]!.replace(/(?<=.)\/$/, ''));
  }

  /** The answer where no route matched. */
  refusal(method: string, url: string): AppError {
    const path = url.split('?')[0]!;
    // `/accounts/transfer` is a route of its own, and also matches that of an account.
    const [route] = [...this.#routes]
      .filter(([, { expression }]) => expression.test(path))
      .sort(([one], [other]) => parametersOf(one) - parametersOf(other));
    return route && !route[1].methods.has(method)
      ? new MethodNotAllowed([...route[1].methods].sort())
      : new RouteNotFound('There is no such route.');
  }
}

function parametersOf(path: string): number {
  return path.match(/[:*]/g)?.length ?? 0;
}

function toExpression(path: string): RegExp {
  const escaped = path
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[^/]+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${escaped.replace(/\/$/, '')}/?$`);
}
