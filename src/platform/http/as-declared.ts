import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { membersOf } from './compiled.js';
import { type Dto, type LocatedFault, missing, notAnObject, type RuleContext } from './rules.js';

/** Reads a body as a class declares it, by class-transformer and class-validator. */
export function readAsDeclared<T extends object>(dto: Dto<T>, sent: object, faults: LocatedFault[]): T {
  const instance = plainToInstance(dto, withoutConstructors(sent));
  faults.push(...faultsOf(dto, validateSync(instance, { whitelist: true }), ''));
  return instance;
}

/** class-transformer takes a member named `constructor` for a class. No class of ours declares one. */
function withoutConstructors(sent: object): object {
  return JSON.parse(JSON.stringify(sent), (name, value: unknown) =>
    name === 'constructor' ? undefined : value,
  ) as object;
}

/** In field order: class-validator lists a class's own fields before inherited ones. */
function faultsOf(dto: Dto, errors: readonly ValidationError[], at: string): LocatedFault[] {
  return membersOf(dto).flatMap(({ name, nested }) => {
    const error = errors.find(({ property }) => property === name);
    if (!error) return [];
    const { target, contexts = {}, children = [] } = error;
    const value: unknown = error.value;
    const path = at + name;
    // Decorators run bottom up: the topmost failing rule is reported.
    const { tell, absentToo } = (Object.values(contexts) as RuleContext[]).findLast((context) => context.tell) ?? {};
    if (!absentToo && (value === undefined || value === null)) return { ...missing(name), path };
    if (tell) return { ...tell(value, target as Record<string, unknown>)!, path };
    if (!Array.isArray(value)) return faultsOf(nested!(), children, `${path}.`);
    return value.flatMap((element, i) => {
      const found = notAnObject(element, {});
      if (found) return { ...found, path: `${path}.${i}` };
      const within = children.find(({ property }) => property === String(i));
      return faultsOf(nested!(), within?.children ?? [], `${path}.${i}.`);
    });
  });
}
