import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Authenticated } from '../../auth/index.js';
import { FairTurns } from '../../platform/fair-turns.js';
import { requestOf } from '../../platform/http/index.js';
import type { AuditReader } from '../domain/auditor.js';

/**
 * No limit counts what auditors ask for: four requests of theirs run at once, two of one partner's auditors, so that
 * connections are left for everybody else. The rest wait in a queue that is fair between them.
 */
@Injectable()
export class AuditorTurns {
  readonly #turns = new FairTurns({ atOnce: 4, atOnceOfOne: 2, waiting: 256, waitMs: 3_000 });

  take<T>({ partnerUid, actor }: AuditReader, work: () => Promise<T>): Promise<T> {
    return this.#turns.take(partnerUid ?? actor, work);
  }
}

/** Nest makes one for each module with auditors' routes: the turns are the same. */
@Injectable()
export class InAuditorsTurn implements NestInterceptor {
  constructor(private readonly turns: AuditorTurns) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { auditor } = requestOf<Audited>(context);
    return from(this.turns.take(auditor!, () => lastValueFrom(next.handle())));
  }
}

/** A request that the guard has let pass. */
export type Audited = Authenticated & { auditor?: AuditReader };
