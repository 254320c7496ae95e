import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { CountExchange } from '../exchange/count-exchange.js';
import { EntryPoint } from './entry-point.js';

/**
 * The entry points, each with its own count of failures. Those of operators and auditors count the failures of a
 * network together; a credential that was valid from there before is not locked out by another caller's failures. The
 * login counts by key and network, and locks out after ten failures, the right secret included (decisions 4).
 */
@Injectable()
export class EntryPoints {
  readonly login: EntryPoint;
  readonly console: EntryPoint;
  readonly operator: EntryPoint;
  readonly auditor: EntryPoint;

  constructor(exchange: CountExchange, @Inject(CONFIG) { secrets }: Config) {
    // The names on the wire are also those of earlier versions, whose processes may run beside this one.
    const entryPoint = (name: string, remembers: boolean) =>
      new EntryPoint({ name: `door-${name}`, remembers, pepper: secrets.keyPepper }, exchange);
    this.login = entryPoint('login', false);
    this.console = entryPoint('console', true);
    this.operator = entryPoint('operator', true);
    this.auditor = entryPoint('auditor', true);
  }
}
