import { Query } from '@nestjs/cqrs';
import type { Viewer } from '../../../auth/index.js';
import type { FoundEverything } from './search.answer.js';

/** Everything that a text may mean. */
export class SearchEverything extends Query<FoundEverything> {
  constructor(
    readonly viewer: Viewer,
    readonly text: string,
  ) {
    super();
  }
}
