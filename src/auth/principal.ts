import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { requestOf } from '../platform/http/index.js';
import type { Permission } from './domain/access-key.events.js';

/** The caller of a partner route: an access key, acting for its account. */
export interface Principal {
  readonly accessKey: string;
  readonly accountUid: string;
  readonly partnerUid: string;
  /** Partition of the account, and so of all its partner's money. */
  readonly partition: number;
  readonly permissions: readonly Permission[];
}

/** The actor of what the caller of a partner route does, as events have it. */
export function keyActor({ accessKey }: Pick<Principal, 'accessKey'>): string {
  return `access-key:${accessKey}`;
}

/** The caller of an operator route. */
export interface Operator {
  readonly name: string;
}

/** The actor of what an operator does, as events have it. */
export function operatorActor({ name }: Operator): string {
  return `operator:${name}`;
}

/** The caller of a back-office read: an operator or an auditor. */
export interface Viewer {
  /** The one partner whose data may be read; `null` for all. */
  readonly partnerUid: string | null;
}

/** Whether a viewer may read a partner's data. */
export function maySee({ partnerUid }: Viewer, partner: string): boolean {
  return partnerUid === null || partnerUid === partner;
}

export type Authenticated = FastifyRequest & { principal?: Principal; operator?: Operator; viewer?: Viewer };

/** Whether a guard let the request pass, and its answer is not a refusal for want of a turn, which no limit counts. */
export function isCounted({ principal, operator, viewer }: Authenticated, status: number): boolean {
  return (principal ?? operator) !== undefined || (viewer !== undefined && status < 500);
}

/** The caller of a partner route. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf<Authenticated>(context).principal,
);

/** The caller of an operator route. */
export const ActingOperator = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf<Authenticated>(context).operator,
);

/** The caller of a route that operators and auditors share. */
export const CallingViewer = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf<Authenticated>(context).viewer,
);
