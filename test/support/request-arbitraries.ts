import fc from 'fast-check';
import { parametersOf, type Route } from './api-document.js';
import { asText, hostile } from './hostile-values.js';
import { kindInPath, Pick } from './known-things.js';
import { FILES, payoutCsv } from './payout-files.js';
import { valid, validInQuery } from './valid-values.js';

/** A request whose picks are not resolved yet. */
export interface DrawnRequest {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly key: string | undefined;
  /** Instead of the route's token, where the route takes a session. */
  readonly session: Pick | undefined;
  /** Instead of path and query: the next page of one that was shown. */
  readonly nextPage: Pick | undefined;
}

/** Mostly none or a new one; sometimes one that another request has used. */
const idempotencyKey = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.constantFrom('k1', 'k2') },
);

const REMOVED = Symbol('removed');

/**
 * Requests of a route: more than half of them as the document asks for, the others with something hostile somewhere.
 */
export function requestsOf(route: Route): fc.Arbitrary<DrawnRequest> {
  const goodPath = fc.nat(1_000).map((n) => pathOf(route, n));
  const query = fc.record(
    Object.fromEntries(
      parametersOf(route, 'query').map(({ name, schema }) => [name, validInQuery(name, schema ?? {})]),
    ),
    { requiredKeys: parametersOf(route, 'query').flatMap(({ name, required }) => (required ? [name] : [])) },
  );
  const goodQuery = query.map(({ cursor: _madeUp, ...rest }) => rest);
  const goodBody =
    route.name === `post ${FILES}`
      ? fc.integer({ min: 1, max: 3 }).map((lines) => payoutCsv(lines))
      : route.method === 'get'
        ? fc.constant(undefined)
        : route.body
          ? valid(route.body)
          : fc.constantFrom(undefined, {});
  const isPaged = parametersOf(route, 'query').some(({ name }) => name === 'cursor');
  const nextPage = fc.nat(1_000).map((n) => new Pick(`page of ${route.name}`, n));
  const session = fc.nat(1_000).map((n) => new Pick(route.audience === 'public' ? 'session to end' : 'session', n));
  const rest = {
    key: idempotencyKey,
    session: route.takesSession ? fc.oneof(session, fc.constant(undefined)) : fc.constant(undefined),
    nextPage: isPaged ? fc.option(nextPage, { freq: 4, nil: undefined }) : fc.constant(undefined),
  };
  const bad = {
    path: fc.oneof({ weight: 3, arbitrary: goodPath }, { weight: 2, arbitrary: badPath(route) }),
    query: fc.oneof({ weight: 2, arbitrary: query }, { weight: 2, arbitrary: spoilt(query) }),
    body: route.body
      ? fc.oneof({ weight: 6, arbitrary: spoilt(goodBody) }, { weight: 1, arbitrary: hostile })
      : goodBody,
  };
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ path: goodPath, query: goodQuery, body: goodBody, ...rest }) },
    { weight: 4, arbitrary: fc.record({ ...bad, ...rest, nextPage: fc.constant(undefined) }) },
  );
}

/** Its parameters all name parts of one thing. */
function pathOf(route: Route, n: number): Record<string, unknown> {
  const parameters = parametersOf(route, 'path');
  const kind = kindInPath(route);
  const isPair = parameters.length > 1;
  return Object.fromEntries(parameters.map(({ name }, i) => [name, new Pick(kind, n, isPair ? i : undefined)]));
}

function badPath(route: Route): fc.Arbitrary<Record<string, unknown>> {
  // Operators take things out of use: not those that the other requests need.
  const kind = route.audience === 'operator' ? 'expendable' : 'anything';
  const segment = fc.oneof(
    fc.nat(1_000).map((n) => new Pick(kind, n)),
    hostile.map((value) => asText(value).slice(0, 100)).filter(isSegment),
    fc.constantFrom('x', '%00', '...', "'--", '00000000-0000-0000-0000-000000000000'),
  );
  return fc.record(Object.fromEntries(parametersOf(route, 'path').map(({ name }) => [name, segment])));
}

/** Dots alone are not a segment: HTTP clients resolve them into another path. */
const isSegment = (text: string) => text !== '' && text.isWellFormed() && !/^\.{1,2}$/.test(text);

/** A value with one to three of its members, at any depth, hostile, gone or not known to the document. */
function spoilt<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T> {
  const change = fc.record({
    at: fc.nat(1_000),
    to: fc.oneof({ weight: 4, arbitrary: hostile }, { weight: 1, arbitrary: fc.constant<unknown>(REMOVED) }),
  });
  return fc.tuple(values, fc.array(change, { minLength: 1, maxLength: 3 })).map(([value, changes]) =>
    changes.reduce<unknown>((spoiling, { at, to }) => {
      const places = placesIn(spoiling);
      return places.length === 0 ? to : replaced(spoiling, places[at % places.length]!, to);
    }, value),
  ) as fc.Arbitrary<T>;
}

type Place = readonly string[];

/** Every member of a value, at any depth, and one more in each object. */
export function placesIn(value: unknown, before: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || value instanceof Pick) return [];
  const inner = Object.entries(value).flatMap(([name, one]) => [
    [...before, name],
    ...placesIn(one, [...before, name]),
  ]);
  return before.length > 12 || Array.isArray(value) ? inner.slice(0, 50) : [...inner, [...before, 'unknownMember']];
}

/** A copy of a value with one member set. */
export function replaced(value: unknown, [name, ...rest]: Place, to: unknown): unknown {
  if (name === undefined) return to;
  const owner = value as Record<string, unknown>;
  const inner = replaced(Object.hasOwn(owner, name) ? owner[name] : undefined, rest, to);
  const entries = Object.entries(owner).filter(([one]) => one !== name);
  const changed = Object.fromEntries(inner === REMOVED ? entries : [...entries, [name, inner]]);
  return Array.isArray(owner) ? Object.values(changed) : changed;
}
