import { movesMoney, scheduledProjection } from '../../../accounts/index.js';
import type { EventFold, RecordedEvent } from '../../../event-store/index.js';
import type { Findings } from '../report.js';

const CHECK = 'payments once';

/**
 * Each step of a payment moves money once: no two events of one type with one `data.id` have postings. The first event
 * of a stream is unique by the database's key, so those of streams named by the identifier cost nothing here.
 */
export function paymentsOnce(findings: Findings): EventFold<bigint> {
  /** Types of first events of payments' own streams. */
  const openers = new Set<string>();
  const report = ({ partition, position, type }: RecordedEvent, id: string, first: string) =>
    findings.report({
      check: CHECK,
      partition,
      position,
      subject: `${type} ${id}`,
      field: 'data.id',
      expected: 'postings once',
      found: `again after ${first}`,
    });
  return {
    name: 'payments-once',
    keysOf(event) {
      if (event.version === 1 && scheduledProjection.keysOf(event).length > 0) return [waited(idOf(event))];
      if (!movesMoney(event) || event.data.postings.length === 0) return [];
      findings.saw(CHECK);
      const id = idOf(event);
      if (event.stream.endsWith(id)) {
        if (event.version === 1) return (openers.add(event.type), []);
        if (openers.has(event.type)) return [waited(id), `${event.type} ${id}`];
      }
      return [`${event.type} ${id}`];
    },
    evolve(before, event, key) {
      const id = idOf(event);
      if (key !== waited(id)) {
        if (before !== undefined) report(event, id, `position ${before}`);
      } else if (before === undefined && event.version > 1) report(event, id, 'the first of its stream');
      return before ?? event.position;
    },
  };
}

/** Of a transaction that begins with an event without postings, and moves money when its time has come. */
const waited = (id: string) => `waited ${id}`;

function idOf({ data, stream }: RecordedEvent): string {
  const { id } = data as { readonly id?: unknown };
  return typeof id === 'string' ? id : stream;
}
