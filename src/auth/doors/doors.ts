import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Exchange } from '../exchange/exchange.js';
import { Door } from './door.js';

/**
 * Where credentials are shown, each with its own count of failures. At the doors of operators and auditors failures of
 * an address count together; a credential that was right from there before is not held up by somebody else's. At the
 * login they count by key and address, and whoever fails ten times waits, with the right secret too (decisions 4).
 */
@Injectable()
export class Doors {
  readonly login: Door;
  readonly console: Door;
  readonly operator: Door;
  readonly auditor: Door;

  constructor(exchange: Exchange, @Inject(CONFIG) { secrets }: Config) {
    const door = (name: string, remembers: boolean) =>
      new Door({ name: `door-${name}`, remembers, pepper: secrets.keyPepper }, exchange);
    this.login = door('login', false);
    this.console = door('console', true);
    this.operator = door('operator', true);
    this.auditor = door('auditor', true);
  }
}
