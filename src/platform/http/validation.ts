import { Body, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError as ClassValidatorError } from 'class-validator';
import { type FaultDetail, InvalidInputError, ValidationError } from '../errors/index.js';
import type { Fault } from './fields.js';

/** A validated body and, beside it, the body as it was sent (idempotency compares that). */
class ValidationPipe<T extends object> implements PipeTransform<unknown, T> {
  constructor(private readonly dto: Type<T>) {}

  transform(body: unknown): T {
    return validate(this.dto, body);
  }
}

/** The request's body, checked against a DTO class. Unknown members are dropped, all faults are told at once. */
export function ValidBody<T extends object>(dto: Type<T>): ParameterDecorator {
  return Body(new ValidationPipe(dto));
}

/** A fault and where it is. */
export type LocatedFault = Fault & Pick<FaultDetail, 'path'>;

/** Rules between members, or on settings. It sees a body whose members may still be of wrong types, and tells what else is wrong. */
export type CrossCheck<T> = (body: T) => readonly LocatedFault[];

/**
 * A body or query, checked against a DTO class and, where given, a cross-check: of two faults at one path only the
 * class's is told.
 */
export function validate<T extends object>(dto: Type<T>, body: unknown, crossCheck?: CrossCheck<T>): T {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ValidationError([
      { path: '', code: 'InvalidType', message: 'the body must be a JSON object', info: { expected: 'object' } },
    ]);
  }
  const instance = plainToInstance(dto, withoutConstructors(body), {
    excludeExtraneousValues: true,
    exposeUnsetFields: false,
  });
  const own = validateSync(instance, { forbidUnknownValues: false }).flatMap((error) => faultsOf(error, ''));
  const more = (crossCheck?.(instance) ?? []).filter(({ path }) => !own.some((fault) => fault.path === path));
  const faults = [...own, ...more];
  if (faults.length === 0) return instance;
  const [only] = faults;
  if (faults.length === 1 && only!.domain) throw new InvalidInputError(only!.code, only!.message);
  throw new ValidationError(faults.map(({ path, code, message, info }) => ({ path, code, message, info: info ?? {} })));
}

function faultsOf(error: ClassValidatorError, parent: string): LocatedFault[] {
  const path = parent ? `${parent}.${error.property}` : error.property;
  const rule = error.constraints?.rule;
  if (rule) return [{ ...(JSON.parse(rule) as Fault), path }];
  if (error.children?.length) return error.children.flatMap((child) => faultsOf(child, path));
  return [{ path, code: 'InvalidType', message: 'must be an object', info: { expected: 'object' } }];
}

/**
 * class-transformer 0.5.1 takes an object's member `constructor` for the class to make of it, and fails where that is
 * none. No member of ours has that name, and unknown members are dropped anyway.
 */
function withoutConstructors<T>(value: T): T {
  return hasConstructor(value) ? (copyWithout(value) as T) : value;
}

function hasConstructor(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, 'constructor') || Object.values(value).some(hasConstructor);
}

function copyWithout(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyWithout);
  const members = Object.entries(value).filter(([name]) => name !== 'constructor');
  return Object.fromEntries(members.map(([name, inner]) => [name, copyWithout(inner)]));
}
