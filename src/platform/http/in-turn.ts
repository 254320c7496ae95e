import type { CallHandler } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { FairTurns } from '../fair-turns.js';

/** What an interceptor returns that has its requests wait for their turn. @param caller whose queue it waits in */
export function inTurn(turns: FairTurns, caller: string, next: CallHandler): Observable<unknown> {
  return from(turns.take(caller, () => lastValueFrom(next.handle())));
}
