import { Injectable } from '@nestjs/common';
import { Door } from './door.js';

/**
 * Where credentials are shown, each with its own count of failures. At the doors of operators and auditors failures of
 * an address count together; a credential that was right from there before is not held up by somebody else's. At the
 * login they count by key and address, and whoever fails ten times waits, with the right secret too (decisions 4).
 */
@Injectable()
export class Doors {
  readonly login = new Door({ remembers: false });
  readonly console = new Door({ remembers: true });
  readonly operator = new Door({ remembers: true });
  readonly auditor = new Door({ remembers: true });
}
