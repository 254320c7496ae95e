import { answer, api, type Item } from '../../api/client.js';
import { usePages } from '../../api/pages.js';
import { useSession } from '../../app/session.js';
import { centavosOf, fromCentavos } from '../../format/money.js';
import { t, word } from '../../i18n/index.js';
import { DataTable } from '../../ui/data-table.js';
import { Panel } from '../../ui/layout.js';
import type { Column } from '../../ui/table.js';
import { Moment, Money, Status } from '../../ui/values.js';
import { ExecuteHold, PlaceHold, ReleaseHold } from './hold-forms.js';

type Hold = Item<'/audit/accounts/{uid}/holds'>;

/** Holds on an account, newest first. Operators may place, release and execute them. */
export function Holds({ uid }: { readonly uid: string }) {
  const { mayChange } = useSession();
  // A credit may fill a hold that waits, and an operator who has not seen that would release it.
  const holds = usePages(
    ['holds', uid],
    (cursor) =>
      answer(api.GET('/audit/accounts/{uid}/holds', { params: { path: { uid }, query: { limit: 100, cursor } } })),
    { live: 3_000 },
  );
  return (
    <Panel title={t('Holds')} flush actions={mayChange && <PlaceHold uid={uid} />}>
      <DataTable
        label={t('Holds')}
        pages={holds}
        columns={columns(mayChange ? uid : undefined)}
        rowKey={({ id }) => id}
        empty={t('No hold on this account.')}
      />
    </Panel>
  );
}

/** @param changing the account, for those who may change it */
function columns(changing: string | undefined): Column<Hold>[] {
  const columns: Column<Hold>[] = [
    { name: t('Cause'), cell: ({ cause }) => word(cause) },
    { name: t('Reference'), cell: ({ reference }) => <span className="break">{reference}</span> },
    { name: t('Wanted'), number: true, cell: ({ amount }) => <Money value={amount} /> },
    { name: t('Filled'), number: true, cell: (hold) => <Money value={filledOf(hold)} /> },
    { name: t('Blocked now'), number: true, cell: ({ blocked }) => <Money value={blocked} /> },
    {
      name: t('Status'),
      cell: ({ status }) => (
        <Status value={status === 'Open' ? t('open') : t('closed')} tone={status === 'Open' ? 'warn' : 'idle'} />
      ),
    },
    { name: t('Waits until'), wide: true, cell: ({ retryUntil }) => <Moment value={retryUntil} /> },
    { name: t('Placed'), wide: true, cell: ({ placedAt }) => <Moment value={placedAt} /> },
  ];
  if (changing === undefined) return columns;
  const changes = ({ id, status, blocked, reference }: Hold) =>
    status === 'Open' && (
      <div className="row">
        <ReleaseHold uid={changing} id={id} reference={reference} />
        {blocked !== '0.00' && <ExecuteHold uid={changing} id={id} reference={reference} />}
      </div>
    );
  return [...columns, { name: t('Change'), cell: changes }];
}

/** All that was ever taken for a hold. */
function filledOf({ blocked, released, executed }: Hold): string {
  return fromCentavos(String(centavosOf(blocked) + centavosOf(released) + centavosOf(executed)));
}
