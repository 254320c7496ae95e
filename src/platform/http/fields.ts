import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/** What is wrong with one member of a body. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly info?: Record<string, unknown>;
  /** The fault is a named domain reason: alone, it answers in the domain shape (decisions 1, amounts). */
  readonly domain?: true;
}

/** Looks at a member's value (`undefined` when absent) and at the object that it is in. */
export type Check = (value: unknown, owner: Record<string, unknown>) => Fault | undefined;

/** A member of a request body, as its class declares it. */
export interface Member {
  readonly name: string;
  /** What is wrong with its value in this object: the first thing that a check finds. */
  readonly fault: (owner: Record<string, unknown>) => Fault | undefined;
  /** The class of the object that it is, or of the objects in the list that it is. */
  readonly type: (() => Dto) | undefined;
}

/** A class of request bodies: made without arguments, its members declared by the decorators below. */
export type Dto<T extends object = object> = new () => T;

const declared = new Map<Dto, readonly Member[]>();

/** The members that a class declares, or inherits. */
export function membersOf(dto: Dto): readonly Member[] {
  return declared.get(dto) ?? (dto === Function.prototype ? [] : membersOf(Object.getPrototypeOf(dto) as Dto));
}

type Options = Omit<ApiPropertyOptions, 'required' | 'type'> & { type?: unknown };

/** One member of a request body: documented, kept, and checked. */
function member(options: Options, required: boolean, checks: readonly Check[], type?: () => Dto): PropertyDecorator {
  return (target, property) => {
    const name = String(property);
    ApiProperty({ ...options, required } as ApiPropertyOptions)(target, property);
    const fault: Member['fault'] = (owner) => {
      const value = owner[name];
      if (value === undefined || value === null) return required ? missing(name) : undefined;
      for (const check of checks) {
        const found = check(value, owner);
        if (found) return found;
      }
      return undefined;
    };
    const dto = target.constructor as Dto;
    declared.set(dto, [...membersOf(dto).filter((other) => other.name !== name), { name, fault, type }]);
  };
}

function missing(name: string): Fault {
  return { code: 'Required', message: `${name} is required.`, info: { missingProperty: name } };
}

/** A member that must be there. */
export function Required(options: Options, ...checks: Check[]): PropertyDecorator {
  return member(options, true, checks);
}

/** A member that may be absent (or null, which means the same). */
export function Optional(options: Options, ...checks: Check[]): PropertyDecorator {
  return member(options, false, checks);
}

/** The fault of what is no object, a list included. */
export const notAnObject = (value: unknown): Fault | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? undefined
    : { code: 'InvalidType', message: 'must be an object', info: { expected: 'object' } };

/** Swagger knows a function that gives a class by its own name, `type`: any other it takes for the class. */
function documented(given: () => Dto): () => Dto {
  return { type: () => given() }.type;
}

function nested(required: boolean, type: () => Dto, options: Options, checks: readonly Check[]) {
  return member({ ...options, type: documented(type) }, required, [notAnObject, ...checks], type);
}

export function RequiredObject(type: () => Dto, options: Options = {}, ...checks: Check[]) {
  return nested(true, type, options, checks);
}

export function OptionalObject(type: () => Dto, options: Options = {}, ...checks: Check[]) {
  return nested(false, type, options, checks);
}

/** A list of objects with at most `maximum` elements. */
export function OptionalObjects(type: () => Dto, maximum: number, options: Options = {}, ...checks: Check[]) {
  return member({ ...options, type: documented(type), isArray: true }, false, [listOf(maximum), ...checks], type);
}

function listOf(maximum: number): Check {
  return (value) => {
    if (!Array.isArray(value)) return { code: 'InvalidType', message: 'must be a list', info: { expected: 'array' } };
    if (value.length > maximum) {
      return { code: 'TooMany', message: `must have at most ${maximum} elements`, info: { maximum } };
    }
    return undefined;
  };
}
