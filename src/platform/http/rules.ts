import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsObject,
  ValidateBy,
  ValidateNested,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';

/** A fault of one field of a body. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly info?: Record<string, unknown>;
  /** The fault is a domain reason: alone, it is answered as a domain error (decisions 1, amounts). */
  readonly domain?: true;
}

/** A fault and its path. */
export type LocatedFault = Fault & { readonly path: string };

/** Checks a field's value, with access to its object. */
export type Check = (value: unknown, owner: Record<string, unknown>) => Fault | undefined;

/** The `context` of every rule: its fault, or a function that finds the faults within. */
export interface RuleContext {
  readonly tell?: Check;
  /** `tell` returns no fault where the rule holds, so that it is evaluated once. */
  readonly decides?: true;
  readonly within?: () => Dto;
  /** An absent field is reported like an invalid one, not as `Required`, as query parameters are. */
  readonly absentToo?: true;
}

/** A class of request bodies without constructor arguments, its fields declared by class-validator decorators. */
export type Dto<T extends object = object> = new () => T;

/** A custom rule. Rules of one field have distinct names, and the topmost failing one is reported. */
export function rule(name: string, check: Check, more: RuleContext = {}): PropertyDecorator {
  const faultOf = (args?: ValidationArguments) => check(args!.value, args!.object as Record<string, unknown>);
  const validator = { validate: (_value: unknown, args?: ValidationArguments) => faultOf(args) === undefined };
  const context: RuleContext = { tell: check, decides: true, ...more };
  // class-validator drops the context of a rule without a message.
  return ValidateBy({ name, validator }, { message: (args) => faultOf(args)?.message ?? name, context });
}

/** The options of a built-in rule of class-validator: its fault. */
export function told(fault: Fault): ValidationOptions {
  return { message: fault.message, context: { tell: () => fault } satisfies RuleContext };
}

/** Several decorators as one, in source order. */
export function stacked(...decorators: PropertyDecorator[]): PropertyDecorator {
  return applyDecorators(...decorators.reverse());
}

export function missing(name: string): Fault {
  return { code: 'Required', message: `${name} is required.`, info: { missingProperty: name } };
}

const NOT_AN_OBJECT: Fault = { code: 'InvalidType', message: 'must be an object', info: { expected: 'object' } };

/** The fault of a value that is no object; a list is none. */
export const notAnObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : NOT_AN_OBJECT;

export function IsNested(type: () => Dto): PropertyDecorator {
  return stacked(IsObject(told(NOT_AN_OBJECT)), nested(type));
}

/** A list of objects with at most `maximum` elements. */
export function IsListOf(type: () => Dto, maximum: number): PropertyDecorator {
  const notList = { code: 'InvalidType', message: 'must be a list', info: { expected: 'array' } };
  const tooMany = { code: 'TooMany', message: `must have at most ${maximum} elements`, info: { maximum } };
  return stacked(
    IsArray(told(notList)),
    ArrayMaxSize(maximum, told(tooMany)),
    IsObject({ each: true, context: { within: type } satisfies RuleContext }),
    nested(type),
  );
}

function nested(type: () => Dto): PropertyDecorator {
  return applyDecorators(ValidateNested({ context: { within: type } satisfies RuleContext }), Type(type));
}
