import { Injectable } from '@nestjs/common';
import { forgottenSubjectProjection } from '../subjects/forgetting.js';
import { idempotencyProjection } from './idempotency.js';
import type { InlineProjection } from '../projections/inline-projection.js';

/** The inline projections of this process; modules register theirs at the start. */
@Injectable()
export class InlineProjections {
  readonly #all: InlineProjection[] = [idempotencyProjection, forgottenSubjectProjection];

  register<Row>(projection: InlineProjection<Row>): void {
    if (this.#all.some((other) => other.name === projection.name)) {
      throw new TypeError(`inline projection ${projection.name} is registered twice`);
    }
    this.#all.push(projection);
  }

  all(): readonly InlineProjection[] {
    return this.#all;
  }
}
