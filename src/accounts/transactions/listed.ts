import type { EventType, RecordedEvent, Stored } from '../../event-store/index.js';

/** Transactions, and what they are part of. */
export interface Listed {
  readonly owner: string;
  readonly transactions: readonly string[];
}

interface Listing extends Listed {
  /** Whether they begin as its own, or are given as its own once they have begun. */
  readonly step: 'begun' | 'given';
}

const listings = new Map<string, (event: RecordedEvent) => Listing | undefined>();

/** Registers an event type that names transactions as parts of something. Modules call it where they declare theirs. */
export function listsTransactions<T extends string, D>(
  { type }: EventType<T, D>,
  step: Listing['step'],
  listed: (data: Stored<D>) => Listed | undefined,
): void {
  listings.set(type, (event) => {
    const found = listed(event.data as Stored<D>);
    return found && { ...found, step };
  });
}

export function listingOf(event: RecordedEvent): Listing | undefined {
  return listings.get(event.type)?.(event);
}
