import { Body, Query } from '@nestjs/common';
import { InvalidInputError, ValidationError } from '../errors/index.js';
import { readAsDeclared } from './as-declared.js';
import { membersOf, readCompiled } from './compiled.js';
import { type Dto, type LocatedFault, notAnObject } from './rules.js';

/** Makes an instance of a class from the input, and adds faults to `faults`. */
type Reader = <T extends object>(dto: Dto<T>, sent: object, faults: LocatedFault[]) => T;

/** The request's body, checked against a DTO class. Unknown fields are dropped, all faults are reported at once. */
export function ValidBody<T extends object>(dto: Dto<T>): ParameterDecorator {
  // A rule that does not say what is told fails the start, not a request.
  membersOf(dto);
  return Body({ transform: (body: unknown) => validate(dto, body) });
}

/** The same where every member is optional: the body may be missing as a whole. */
export function OptionalBody<T extends object>(dto: Dto<T>): ParameterDecorator {
  return Body({ transform: (body: unknown) => validate(dto, body ?? {}) });
}

/**
 * A query as a class declares it.
 * @throws ValidationError
 */
export function readQuery<T extends object>(dto: Dto<T>, query: object): T {
  const faults: LocatedFault[] = [];
  const read = readAsDeclared(dto, query, faults);
  if (faults.length > 0) throw invalid(faults);
  return read;
}

/** The request's query, as a class declares it: unknown parameters are dropped. */
export function ValidQuery<T extends object>(dto: Dto<T>): ParameterDecorator {
  return Query({ transform: (query: object) => readQuery(dto, query) });
}

/** Rules across fields, or on settings. The body's fields may still have wrong types. Returns further faults. */
export type CrossCheck<T> = (body: T) => readonly LocatedFault[];

/** An object, read as a class declares it, and its faults: for what is not one request, such as a line of a file. */
export function examine<T extends object>(
  dto: Dto<T>,
  sent: object,
  crossCheck?: CrossCheck<T>,
  read: Reader = readCompiled,
): { readonly instance: T; readonly faults: readonly LocatedFault[] } {
  const own: LocatedFault[] = [];
  const instance = read(dto, sent, own);
  const more = (crossCheck?.(instance) ?? []).filter(({ path }) => !own.some((fault) => fault.path === path));
  return { instance, faults: [...own, ...more] };
}

/**
 * A body or query, checked against a DTO class and, if given, a cross-check: of two faults at one path only the class's
 * is reported.
 * @param read given by tests only, which compare the readers
 */
export function validate<T extends object>(
  dto: Dto<T>,
  body: unknown,
  crossCheck?: CrossCheck<T>,
  read: Reader = readCompiled,
): T {
  const wrong = notAnObject(body, {});
  if (wrong) {
    const { code, info = {} } = wrong;
    throw new ValidationError([{ path: '', code, message: 'the body must be a JSON object', info }]);
  }
  const { instance, faults } = examine(dto, body as object, crossCheck, read);
  if (faults.length === 0) return instance;
  const [only] = faults;
  if (faults.length === 1 && only!.domain) throw new InvalidInputError(only!.code, only!.message);
  throw invalid(faults);
}

function invalid(faults: readonly LocatedFault[]): ValidationError {
  return new ValidationError(faults.map(({ path, code, message, info = {} }) => ({ path, code, message, info })));
}
