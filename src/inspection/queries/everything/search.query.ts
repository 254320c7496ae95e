import { Query } from '@nestjs/cqrs';
import type { Viewer } from '../../../auth/index.js';
import type { FoundEverything } from './search.answer.js';

/** Search by every possible meaning of a text. */
export class SearchEverything extends Query<FoundEverything> {
  constructor(
    readonly viewer: Viewer,
    readonly text: string,
  ) {
    super();
  }
}
