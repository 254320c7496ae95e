import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** The parameters of every list; others are equal by chance and stay inline. */
const OF_LISTS = new Set(['limit', 'cursor']);

/** `holder[key]` may be shared as a component of this name. */
interface Place<T> {
  readonly name: string;
  readonly holder: Record<number, T | { $ref: string }>;
  readonly key: number;
}

/** Moves error answers and list parameters of several operations into the document's components. */
export function shareComponents({ paths, components }: OpenAPIObject): void {
  const operations = Object.values(paths).flatMap((path) => METHODS.flatMap((method) => path[method] ?? []));
  const errors = operations.flatMap(({ responses }) =>
    Object.keys(responses)
      .map(Number)
      .filter((status) => status >= 400)
      .map((status) => ({ name: STATUS_CODES[status]!.replaceAll(/\W/g, ''), holder: responses, key: status })),
  );
  const parameters = operations.flatMap(({ parameters: holder = [] }) =>
    holder.flatMap((one, key) => ('name' in one && OF_LISTS.has(one.name) ? { name: one.name, holder, key } : [])),
  );
  Object.assign(components!, { responses: share('responses', errors), parameters: share('parameters', parameters) });
}

/** @returns the components; a second content of the same name has a 2 appended */
function share<T>(kind: string, places: readonly Place<T>[]): Record<string, T> {
  const components: Record<string, T> = {};
  for (const [name, namesakes] of Map.groupBy(places, (place) => place.name)) {
    const contents = Map.groupBy(namesakes, ({ holder, key }) => JSON.stringify(holder[key]));
    const shared = [...contents.values()].filter(({ length }) => length > 1);
    for (const [i, alike] of shared.entries()) {
      const component = i === 0 ? name : `${name}${i + 1}`;
      components[component] = alike[0]!.holder[alike[0]!.key] as T;
      for (const { holder, key } of alike) holder[key] = { $ref: `#/components/${kind}/${component}` };
    }
  }
  return components;
}
