import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Authenticated } from '../../auth/index.js';
import { FairTurns } from '../../platform/fair-turns.js';
import { inTurn, requestOf } from '../../platform/http/index.js';
import type { AuditReader } from '../domain/auditor.js';

/**
 * No limit counts what auditors ask for: four requests of theirs run at once, two of one partner's auditors, so that
 * connections are left for everybody else. The rest wait in a queue that is fair between them.
 */
@Injectable()
export class AuditorTurns extends FairTurns {
  constructor() {
    super({ atOnce: 4, atOnceOfOne: 2, waiting: 256, waitMs: 3_000 });
  }
}

/** Nest makes one for each module with auditors' routes: the turns are the same. */
@Injectable()
export class InAuditorsTurn implements NestInterceptor {
  constructor(private readonly turns: AuditorTurns) {}

  intercept(context: ExecutionContext, next: CallHandler) {
    const { partnerUid, actor } = requestOf<Audited>(context).auditor!;
    return inTurn(this.turns, partnerUid ?? actor, next);
  }
}

/** A request that the guard has let pass. */
export type Audited = Authenticated & { auditor?: AuditReader };
