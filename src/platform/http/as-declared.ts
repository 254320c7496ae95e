import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { membersOf } from './compiled.js';
import { type Dto, type LocatedFault, missing, notAnObject, type RuleContext } from './rules.js';

/**
 * Reads a query as a class declares it, by class-transformer and class-validator. Bodies are read by `readCompiled`: an
 * object in place of a text takes class-transformer a time that grows with the square of its size.
 */
export function readAsDeclared<T extends object>(dto: Dto<T>, sent: object, faults: LocatedFault[]): T {
  const instance = plainToInstance(dto, declaredOf(dto, sent));
  faults.push(...faultsOf(dto, validateSync(instance, { whitelist: true }), ''));
  return instance;
}

/**
 * What the class declares of an object. class-transformer compares every member's name with every other's: thousands of
 * unknown ones would cost it far more than parsing them did.
 */
function declaredOf(dto: Dto, sent: object): object {
  const members = sent as Record<string, unknown>;
  return Object.fromEntries(
    membersOf(dto)
      .filter(({ name }) => Object.hasOwn(members, name))
      .map(({ name, nested }) => [name, declaredIn(members[name], nested?.())]),
  );
}

function declaredIn(value: unknown, dto: Dto | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!dto) return withoutConstructors(value);
  return Array.isArray(value) ? value.map((element) => declaredIn(element, dto)) : declaredOf(dto, value);
}

/** class-transformer takes a member named `constructor` for a class. */
function withoutConstructors(value: object): unknown {
  return JSON.parse(JSON.stringify(value), (name, one: unknown) => (name === 'constructor' ? undefined : one));
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
