import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { membersOf } from './compiled.js';
import { type Dto, type LocatedFault, missing, notAnObject, type RuleContext } from './rules.js';

/** What a class declares, made of what was sent by class-transformer and judged by class-validator. */
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

/** In the order of the members: class-validator puts those of a class before those that it inherits. */
function faultsOf(dto: Dto, errors: readonly ValidationError[], at: string): LocatedFault[] {
  return membersOf(dto).flatMap(({ name, nested }) => {
    const error = errors.find(({ property }) => property === name);
    if (!error) return [];
    const { target, contexts = {}, children = [] } = error;
    const value: unknown = error.value;
    const path = at + name;
    // Decorators are carried out from the lowest up: the topmost that fails is told.
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
