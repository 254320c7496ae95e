import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import { t } from '../../i18n/index.js';
import { Panel } from '../../ui/layout.js';
import { Answered } from '../../ui/states.js';
import { EventCard } from '../../ui/event-card.js';
import { ProofCheck } from './proof-check.js';

/** A transaction's events, oldest first: at most a hundred. */
export function EventHistory({
  id,
  state,
  partition,
}: {
  readonly id: string;
  readonly state: string;
  readonly partition: number;
}) {
  const events = useQuery({
    // Every change of state is a new event: the history is read again with it.
    queryKey: ['event-history', id, state],
    queryFn: () =>
      answer(api.GET('/audit/transactions/{id}/events', { params: { path: { id }, query: { limit: 100 } } })),
    placeholderData: (previous) => previous,
  });
  return (
    <>
      <Panel title={t('Event history')}>
        <Answered query={events}>
          {({ items }) => (
            <ol className="timeline">
              {items.map((event) => (
                <li key={event.id}>
                  <EventCard event={event} />
                </li>
              ))}
            </ol>
          )}
        </Answered>
      </Panel>
      {/* A verdict is about the events that were checked: others are a check of their own. */}
      {events.data && (
        <ProofCheck
          key={events.data.items.map((one) => one.id).join()}
          events={events.data.items}
          partition={partition}
        />
      )}
    </>
  );
}
