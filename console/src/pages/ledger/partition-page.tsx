import { useParams, useSearchParams } from 'react-router';
import { answer, api, type Item } from '../../api/client.js';
import { usePages } from '../../api/pages.js';
import { formatCount } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { DataTable } from '../../ui/data-table.js';
import { EventCard } from '../../ui/event-card.js';
import { Page, Panel } from '../../ui/layout.js';
import type { Column } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { valuesOf } from '../../ui/request-form.js';
import { Moment } from '../../ui/values.js';
import { Verbatim } from '../../ui/scroll.js';

type StoredEvent = Item<'/audit/events'>;
type Checkpoint = Item<'/audit/checkpoints/{partition}'>;

/** One partition of the log: its events in order, and its signed checkpoints. */
export default function PartitionPage() {
  const partition = Number(useParams()['partition']);
  return (
    <Page
      title={partition === 0 ? t('Partition 0 (registry)') : t('Partition {}', partition)}
      crumbs={[['/ledger', t('Ledger')]]}
      actions={
        <a className="button" href={`/audit/export?partition=${partition}`} download={`partition-${partition}.ndjson`}>
          {t('Export')}
        </a>
      }
    >
      <Tabs
        label={t('Partition')}
        tabs={[
          ['events', t('Events'), <Events key="e" partition={partition} />],
          ['checkpoints', t('Checkpoints'), <Checkpoints key="c" partition={partition} />],
        ]}
      />
    </Page>
  );
}

function Events({ partition }: { readonly partition: number }) {
  const [search, setSearch] = useSearchParams();
  const position = search.get('position') ?? undefined;
  const events = usePages<StoredEvent>(['events', partition, position], (cursor) =>
    answer(api.GET('/audit/events', { params: { query: { partition, from: position, limit: 100, cursor } } })),
  );
  return (
    <Panel
      title={position === undefined ? t('Events, oldest first') : t('Events from position {}', position)}
      flush
      actions={
        <form
          key={position}
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            const asked = valuesOf(event.currentTarget)['position'] ?? '';
            setSearch(asked === '' ? {} : { position: asked });
          }}
        >
          <input
            className="input"
            name="position"
            inputMode="numeric"
            pattern="[0-9]{1,18}"
            size={10}
            defaultValue={position}
            aria-label={t('Position in the log')}
          />
          <button type="submit" className="button small">
            {t('Go')}
          </button>
        </form>
      }
    >
      <DataTable
        label={t('Events')}
        pages={events}
        columns={[
          { name: t('Position'), number: true, cell: ({ position }) => formatCount(position) },
          { name: t('Event'), cell: (event) => <EventCard event={event} /> },
        ]}
        rowKey={({ id }) => id}
        empty={t('This partition has no event yet.')}
      />
    </Panel>
  );
}

function Checkpoints({ partition }: { readonly partition: number }) {
  const checkpoints = usePages<Checkpoint>(['checkpoints', partition], (cursor) =>
    answer(
      api.GET('/audit/checkpoints/{partition}', {
        params: { path: { partition: String(partition) }, query: { limit: 100, cursor } },
      }),
    ),
  );
  return (
    <Panel title={t('Checkpoints, smallest first')} flush>
      <DataTable
        label={t('Checkpoints')}
        pages={checkpoints}
        columns={checkpointColumns()}
        rowKey={({ size }) => size}
        empty={t('No checkpoint is signed yet.')}
      />
    </Panel>
  );
}

function checkpointColumns(): Column<Checkpoint>[] {
  return [
    { name: t('Events'), number: true, cell: ({ size }) => formatCount(size) },
    { name: t('Signed'), cell: ({ signedAt }) => <Moment value={signedAt} /> },
    {
      name: t('Note'),
      cell: ({ note }) => (
        <details>
          <summary>{t('Signed note')}</summary>
          <Verbatim label={t('Signed note')}>{note}</Verbatim>
        </details>
      ),
    },
  ];
}
