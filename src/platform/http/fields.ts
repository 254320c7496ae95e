import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Expose, Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';

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

type Options = Omit<ApiPropertyOptions, 'required' | 'type'> & { type?: unknown };

/**
 * One member of a request body: documented, kept by the transformation, and checked. The first check that
 * finds a fault names it; class-validator can only carry text, so the fault travels as JSON.
 */
function member(options: Options, required: boolean, checks: readonly Check[]): PropertyDecorator {
  return (target, property) => {
    const name = String(property);
    const find = (owner: object): Fault | undefined => {
      const members = owner as Record<string, unknown>;
      const value = members[name];
      if (value === undefined || value === null) return required ? missing(name) : undefined;
      for (const check of checks) {
        const fault = check(value, members);
        if (fault) return fault;
      }
      return undefined;
    };
    applyDecorators(
      ApiProperty({ ...options, required } as ApiPropertyOptions),
      Expose(),
      ValidateBy({
        name: 'rule',
        validator: {
          validate: (_value, args) => find(args!.object) === undefined,
          defaultMessage: (args) => JSON.stringify(find(args!.object)),
        },
      }),
    )(target, property);
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

const isObject: Check = (value) =>
  typeof value === 'object' && !Array.isArray(value)
    ? undefined
    : { code: 'InvalidType', message: 'must be an object', info: { expected: 'object' } };

/** class-validator takes a null for a faulty object; here it means what absence means. */
const unlessNull = ValidateIf((_owner, value) => value !== null && value !== undefined);

/** Swagger knows a function that gives a class by its own name, `type`: any other it takes for the class. */
function documented(given: () => new () => object): () => new () => object {
  return { type: () => given() }.type;
}

function nested(required: boolean, type: () => new () => object, options: Options, checks: readonly Check[]) {
  return applyDecorators(
    member({ ...options, type: documented(type) }, required, [isObject, ...checks]),
    ValidateNested(),
    Type(type),
    ...(required ? [] : [unlessNull]),
  );
}

export function RequiredObject(type: () => new () => object, options: Options = {}, ...checks: Check[]) {
  return nested(true, type, options, checks);
}

export function OptionalObject(type: () => new () => object, options: Options = {}, ...checks: Check[]) {
  return nested(false, type, options, checks);
}

/** A list of objects with at most `maximum` elements. */
export function OptionalObjects(
  type: () => new () => object,
  maximum: number,
  options: Options = {},
  ...checks: Check[]
) {
  return applyDecorators(
    member({ ...options, type: documented(type), isArray: true }, false, [listOf(maximum), ...checks]),
    ValidateNested({ each: true }),
    Type(type),
    unlessNull,
  );
}

function listOf(maximum: number): Check {
  return (value) => {
    if (!Array.isArray(value)) return { code: 'InvalidType', message: 'must be a list', info: { expected: 'array' } };
    if (value.length > maximum) {
      return { code: 'TooMany', message: `must have at most ${maximum} elements`, info: { maximum } };
    }
    // class-validator looks into a list within the list, and finds an empty one good.
    if (value.some((element) => Array.isArray(element))) {
      return { code: 'InvalidType', message: 'must be a list of objects', info: { expected: 'object' } };
    }
    return undefined;
  };
}
