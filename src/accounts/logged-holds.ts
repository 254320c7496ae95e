import { Injectable } from '@nestjs/common';
import { partitionOf, WholeStreams } from '../event-store/index.js';
import { evolveHold, type Hold, streamOfHold } from './domain/hold.js';

/** Holds as their own events make them, and no row: of which deposit one is decides whom it goes back to. */
@Injectable()
export class LoggedHolds {
  constructor(private readonly streams: WholeStreams) {}

  /** @throws where its events contradict one another */
  async find(id: string): Promise<Hold | undefined> {
    // Each step has an id of its own, not the hold's.
    const events = await this.streams.read(partitionOf(id), streamOfHold(id));
    return events.reduce<Hold | undefined>(evolveHold, undefined);
  }
}
