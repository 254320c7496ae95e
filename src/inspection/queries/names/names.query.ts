import { Query } from '@nestjs/cqrs';
import type { Viewer } from '../../../auth/index.js';
import type { AccountNames } from './names.answer.js';

/** Names of existing accounts that the viewer may see. */
export class ReadNames extends Query<AccountNames> {
  constructor(
    readonly viewer: Viewer,
    readonly uids: ReadonlySet<string>,
  ) {
    super();
  }
}
