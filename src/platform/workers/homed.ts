/** The partition that a command belongs to; `undefined`: it is carried out by whoever has it. */
export type HomeOf<C> = (command: C) => number | undefined;

/** Whether it may be carried out twice: always, as the log knows what it is about, or with an idempotency key. */
export type Repeatable = 'always' | 'with its key';

interface HomedType {
  readonly name: string;
  readonly prototype: object;
  readonly homeOf: HomeOf<object>;
  readonly repeatable: Repeatable;
}

const byName = new Map<string, HomedType>();
const byPrototype = new Map<unknown, HomedType>();

/**
 * A command that the owner of a partition carries out, whichever worker received it. Its members and its result are
 * data: text, numbers, dates, lists and plain objects of those; a result may be, or contain, an `AppError`.
 */
export function Homed<C extends object>(homeOf: HomeOf<C>, repeatable: Repeatable = 'with its key') {
  return (type: new (...members: never[]) => C): void => {
    const { name, prototype } = type as { readonly name: string; readonly prototype: object };
    const homed = { name, prototype, homeOf: homeOf as HomeOf<object>, repeatable };
    byName.set(name, homed);
    byPrototype.set(prototype, homed);
  };
}

/** How a command is homed; `undefined` if it is not. */
export function homingOf(command: object): HomedType | undefined {
  return byPrototype.get(Object.getPrototypeOf(command));
}

/** A command from its members. */
export function homedCommand(name: string, members: object): object {
  return Object.assign(Object.create(byName.get(name)!.prototype) as object, members);
}
