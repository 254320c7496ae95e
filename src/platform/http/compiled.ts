import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';
import { type Check, type Dto, type LocatedFault, missing, notAnObject, type RuleContext } from './rules.js';

type Members = Record<string, unknown>;
type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** A field of a class: its rules in source order. */
interface Member {
  readonly name: string;
  /** Conditions to validate it (`IsOptional`, `ValidateIf`): all must hold. */
  readonly conditions: readonly ((owner: Members, value: unknown) => boolean)[];
  readonly checks: readonly Check[];
  readonly nested: (() => Dto) | undefined;
}

const compiled = new Map<Dto, readonly Member[]>();

/** The rules of a class and its base classes, collected once; base classes come first. */
export function membersOf(dto: Dto): readonly Member[] {
  let members = compiled.get(dto);
  if (!members) compiled.set(dto, (members = compile(dto)));
  return members;
}

function compile(dto: Dto): Member[] {
  const storage = getMetadataStorage();
  const depth = ({ target }: Metadata) => Number(dto.prototype instanceof (target as Dto)) && depthBelow(dto, target);
  const all = storage.getTargetValidationMetadatas(dto, '', false, false).sort((a, b) => depth(b) - depth(a));
  return [...Map.groupBy(all, ({ propertyName }) => propertyName)].map(([name, rules]) => ({
    name,
    conditions: rules.flatMap(({ type, constraints }) =>
      type === ValidationTypes.CONDITIONAL_VALIDATION ? (constraints as Member['conditions']) : [],
    ),
    // Decorators run bottom up.
    checks: rules.flatMap((rule) => checkOf(dto, rule)).reverse(),
    nested: rules.map(({ context }) => (context as RuleContext | undefined)?.within).find((type) => type),
  }));
}

/** The distance from a class to the base class that declares. */
function depthBelow(dto: Dto, target: unknown): number {
  return dto === target ? 0 : 1 + depthBelow(Object.getPrototypeOf(dto) as Dto, target);
}

function checkOf(dto: Dto, { type, constraintCls, constraints, propertyName, each, context }: Metadata): Check[] {
  if (type !== ValidationTypes.CUSTOM_VALIDATION) return [];
  const { tell, decides, within } = (context ?? {}) as RuleContext;
  if (within) return [];
  if (!tell) throw new TypeError(`a rule of ${dto.name}.${propertyName} does not say what is told when it fails`);
  if (decides) return [tell];
  const { instance } = getMetadataStorage().getTargetValidatorConstraints(constraintCls)[0]!;
  return [
    (value, object) => {
      const args: ValidationArguments = { value, object, constraints, property: propertyName, targetName: dto.name };
      const good =
        each && Array.isArray(value)
          ? value.every((one) => instance.validate(one, args) === true)
          : instance.validate(value, args);
      return good ? undefined : tell(value, object);
    },
  ];
}

/** As `readAsDeclared`, in a tenth of its time: reads declared fields, drops others, and reports faults. */
export function readCompiled<T extends object>(dto: Dto<T>, sent: object, faults: LocatedFault[], at = ''): T {
  const taken = new dto();
  const members = taken as Members;
  const declared = membersOf(dto);
  for (const { name } of declared) if (Object.hasOwn(sent, name)) members[name] = (sent as Members)[name];
  // A check may read the other fields.
  for (const member of declared) {
    const value = members[member.name];
    const found = faultOf(member, value, members);
    if (found) faults.push({ ...found, path: at + member.name });
    else if (member.nested && value)
      members[member.name] = readNested(member.nested(), value, at + member.name, faults);
  }
  return taken;
}

function faultOf({ name, conditions, checks }: Member, value: unknown, owner: Members) {
  if (value === undefined || value === null) {
    return conditions.every((isLookedAt) => isLookedAt(owner, value)) ? missing(name) : undefined;
  }
  for (const check of checks) {
    const found = check(value, owner);
    if (found) return found;
  }
  return undefined;
}

function readNested(dto: Dto, sent: object, path: string, faults: LocatedFault[]): unknown {
  if (!Array.isArray(sent)) return readCompiled(dto, sent, faults, `${path}.`);
  return sent.map((element: unknown, i) => {
    const found = notAnObject(element, {});
    if (!found) return readCompiled(dto, element as object, faults, `${path}.${i}.`);
    faults.push({ ...found, path: `${path}.${i}` });
    return element;
  });
}
