import { Body, type PipeTransform } from '@nestjs/common';
import { type FaultDetail, InvalidInputError, ValidationError } from '../errors/index.js';
import { type Dto, type Fault, membersOf, notAnObject } from './fields.js';

/** A validated body and, beside it, the body as it was sent (idempotency compares that). */
class ValidationPipe<T extends object> implements PipeTransform<unknown, T> {
  constructor(private readonly dto: Dto<T>) {}

  transform(body: unknown): T {
    return validate(this.dto, body);
  }
}

/** The request's body, checked against a DTO class. Unknown members are dropped, all faults are told at once. */
export function ValidBody<T extends object>(dto: Dto<T>): ParameterDecorator {
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
export function validate<T extends object>(dto: Dto<T>, body: unknown, crossCheck?: CrossCheck<T>): T {
  const wrong = notAnObject(body);
  if (wrong) {
    const { code, info = {} } = wrong;
    throw new ValidationError([{ path: '', code, message: 'the body must be a JSON object', info }]);
  }
  const own: LocatedFault[] = [];
  const instance = take(dto, body as Members, '', own);
  const more = (crossCheck?.(instance) ?? []).filter(({ path }) => !own.some((fault) => fault.path === path));
  const faults = [...own, ...more];
  if (faults.length === 0) return instance;
  const [only] = faults;
  if (faults.length === 1 && only!.domain) throw new InvalidInputError(only!.code, only!.message);
  throw new ValidationError(faults.map(({ path, code, message, info }) => ({ path, code, message, info: info ?? {} })));
}

type Members = Record<string, unknown>;

/** Takes the members that a class declares out of what was sent, and adds what is wrong with them to `faults`. */
function take<T extends object>(dto: Dto<T>, sent: Members, at: string, faults: LocatedFault[]): T {
  const taken = new dto();
  const members = taken as Members;
  const declared = membersOf(dto);
  for (const { name } of declared) if (Object.hasOwn(sent, name)) members[name] = sent[name];
  // A check may look at the members beside its own.
  for (const { name, fault, type } of declared) {
    const path = at + name;
    const found = fault(members);
    if (found) faults.push({ ...found, path });
    else if (type && members[name]) members[name] = takeNested(type(), members[name], path, faults);
  }
  return taken;
}

function takeNested(dto: Dto, sent: object, path: string, faults: LocatedFault[]): unknown {
  if (!Array.isArray(sent)) return take(dto, sent as Members, `${path}.`, faults);
  return sent.map((element: unknown, i) => {
    const found = notAnObject(element);
    if (!found) return take(dto, element as Members, `${path}.${i}.`, faults);
    faults.push({ ...found, path: `${path}.${i}` });
    return element;
  });
}
