import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus, type ICommand } from '@nestjs/cqrs';
import { OutcomeUnknown } from '../errors/index.js';
import { Tracing } from '../observability/tracing/index.js';
import { homedCommand, homingOf } from './homed.js';
import { NoAnswer, NotTaken } from './link.js';
import { Peers } from './peers.js';

const KIND = 'command';

type Homing = NonNullable<ReturnType<typeof homingOf>>;

const isDryRun = (command: ICommand): boolean => (command as { readonly preview?: unknown }).preview !== undefined;

type Forwarded = readonly [name: string, members: object, traceparent?: string];

/**
 * Hands a command to the worker that owns its partition, as data. Where that worker is gone and did nothing, or the
 * command has an idempotency key, it is carried out here: the log decides whether it was done already. A dry run always
 * is: its preview is not data.
 */
@Injectable()
export class CommandForwarding implements OnModuleInit {
  #local: (command: ICommand) => Promise<unknown>;

  constructor(
    private readonly bus: CommandBus,
    private readonly peers: Peers,
    private readonly tracing: Tracing,
  ) {
    this.#local = bus.execute.bind(bus);
  }

  onModuleInit(): void {
    const { bus, peers } = this;
    if (peers.isAlone) return;
    const local = this.#local;
    peers.serve(KIND, (value) => this.#carryOut(value as Forwarded));
    bus.execute = (command: ICommand): Promise<never> => {
      const homing = homingOf(command);
      const home = isDryRun(command) ? undefined : homing?.homeOf(command);
      const owner = home === undefined ? undefined : peers.ownerOf(home);
      const result = owner === undefined ? local(command) : this.#forward(owner, homing!, command);
      // The caller knows what its command gives.
      return result as Promise<never>;
    };
  }

  async #forward(owner: number, { name, repeatable }: Homing, command: ICommand): Promise<unknown> {
    const { tracer } = this.tracing;
    try {
      if (!tracer?.isWithin) return await this.peers.call(owner, KIND, [name, command]);
      return await tracer.span('forwarded command', { kind: 'client' }, ({ traceparent }) =>
        this.peers.call(owner, KIND, [name, command, traceparent]),
      );
    } catch (error) {
      const { idempotency } = command as { readonly idempotency?: unknown };
      const isRepeatable = repeatable === 'always' || idempotency !== undefined;
      if (error instanceof NotTaken || (error instanceof NoAnswer && isRepeatable)) return this.#local(command);
      throw error instanceof NoAnswer ? new OutcomeUnknown() : error;
    }
  }

  #carryOut([name, members, traceparent]: Forwarded): Promise<unknown> {
    const command = homedCommand(name, members);
    const { tracer } = this.tracing;
    if (!tracer || traceparent === undefined) return this.#local(command);
    return tracer.span(name, { kind: 'server', parent: traceparent }, () => this.#local(command));
  }
}
