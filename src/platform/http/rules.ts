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

/** What is wrong with one member of a body. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly info?: Record<string, unknown>;
  /** The fault is a named domain reason: alone, it answers in the domain shape (decisions 1, amounts). */
  readonly domain?: true;
}

/** A fault and where it is. */
export type LocatedFault = Fault & { readonly path: string };

/** Looks at a member's value and at the object that it is in. */
export type Check = (value: unknown, owner: Record<string, unknown>) => Fault | undefined;

/** What every rule carries as `context`: what is told when it fails, or where its faults are told from within. */
export interface RuleContext {
  readonly tell?: Check;
  /** `tell` finds nothing where the rule holds, so that nobody has to ask twice. */
  readonly decides?: true;
  readonly within?: () => Dto;
  /** An absent member is told like a wrong one, not as `Required`: so it is with parameters of queries. */
  readonly absentToo?: true;
}

/** A class of request bodies: made without arguments, its members declared by the decorators of class-validator. */
export type Dto<T extends object = object> = new () => T;

/** A rule of ours. Rules of one member have a name each, and the topmost that fails is told. */
export function rule(name: string, check: Check, more: RuleContext = {}): PropertyDecorator {
  const faultOf = (args?: ValidationArguments) => check(args!.value, args!.object as Record<string, unknown>);
  const validator = { validate: (_value: unknown, args?: ValidationArguments) => faultOf(args) === undefined };
  const context: RuleContext = { tell: check, decides: true, ...more };
  // class-validator keeps no context of a rule without a message.
  return ValidateBy({ name, validator }, { message: (args) => faultOf(args)?.message ?? name, context });
}

/** The options of one of class-validator's own rules: what is told when it fails. */
export function told(fault: Fault): ValidationOptions {
  return { message: fault.message, context: { tell: () => fault } satisfies RuleContext };
}

/** Several decorators as one, in the order in which they would stand above a member. */
export function stacked(...decorators: PropertyDecorator[]): PropertyDecorator {
  return applyDecorators(...decorators.reverse());
}

export function missing(name: string): Fault {
  return { code: 'Required', message: `${name} is required.`, info: { missingProperty: name } };
}

const NOT_AN_OBJECT: Fault = { code: 'InvalidType', message: 'must be an object', info: { expected: 'object' } };

/** The fault of what is no object, a list included. */
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
