import { Link, useSearchParams } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import { answer, api, type Data, type Item } from '../../api/client.js';
import { usePages } from '../../api/pages.js';
import { formatCount } from '../../format/money.js';
import { t, word } from '../../i18n/index.js';
import { DataTable } from '../../ui/data-table.js';
import { Choice } from '../../ui/fields.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Page, Panel } from '../../ui/layout.js';
import { Answered } from '../../ui/states.js';
import { Swatch } from '../../ui/swatch.js';
import { type Column, Table } from '../../ui/table.js';
import { Moment, Money, Named, Status } from '../../ui/values.js';
import { CircuitState } from './circuit-state.js';
import { DeliverySubject } from './delivery-subject.js';
import { outcomeOf } from './outcome.js';
import { Redeliver } from './redeliver.js';

type Delivery = Item<'/admin/webhooks/deliveries'>;

const STATUSES = ['Pending', 'Retrying', 'Stopped', 'Exhausted', 'Delivered'] as const;
type Status = (typeof STATUSES)[number];

/** Deliveries of all accounts; without a filter, those not delivered. Filters are part of the URL. */
export default function DeliveriesPage() {
  const [search, setSearch] = useSearchParams();
  const status = STATUSES.find((one) => one === search.get('status'));
  const [host, partner, transaction] = ['host', 'partner', 'transaction'].map((name) => search.get(name) || undefined);
  const read = (cursor: string | undefined, limit: number) =>
    answer(
      api.GET('/admin/webhooks/deliveries', {
        params: { query: { status, host, partner, transaction, limit, cursor } },
      }),
    );
  const deliveries = usePages(['failing', status, host, partner, transaction], (cursor) => read(cursor, 100), {
    live: 3_000,
  });
  const hosts = useQuery({ queryKey: ['failing-hosts'], queryFn: () => read(undefined, 1), refetchInterval: 5_000 });
  const filter = (changes: Record<string, string>) => {
    const next = new URLSearchParams({ ...Object.fromEntries(search), ...changes });
    setSearch(new URLSearchParams([...next].filter(([, value]) => value !== '')));
  };
  return (
    <Page title={t('Deliveries')}>
      <Panel title={t('Hosts')} flush>
        <Answered query={hosts} lines={2}>
          {(data) => (
            <Table
              label={t('Hosts')}
              columns={hostColumns(data.hosts)}
              rows={data.hosts}
              rowKey={(one) => one.host}
              empty={t('Everything is delivered.')}
            />
          )}
        </Answered>
      </Panel>
      <Panel
        title={titleOf(status, host)}
        flush
        actions={
          <>
            <Choice<Status | ''>
              label={t('Status')}
              value={status ?? ''}
              options={[['', t('Not delivered')], ...STATUSES.map((one) => [one, word(one)] as const)]}
              onChange={(next) => filter({ status: next })}
            />
            {search.size > 0 && <Link to="/deliveries">{t('Clear')}</Link>}
          </>
        }
      >
        <DataTable
          label={t('Deliveries')}
          pages={deliveries}
          columns={columns()}
          rowKey={({ id }) => id}
          empty={t('No delivery.')}
        />
      </Panel>
    </Page>
  );
}

function titleOf(status: Status | undefined, host: string | undefined): string {
  if (status === 'Delivered') return host === undefined ? t('Newest delivered') : t('Newest delivered to {}', host);
  return host === undefined ? t('Not delivered') : t('Not delivered to {}', host);
}

type Host = Data<'/admin/webhooks/deliveries'>['hosts'][number];

/** A bar of a host's failures (retrying, stopped, exhausted), relative to the host with the most. */
function FailureBar({ of: host, among }: { readonly of: Host; readonly among: readonly Host[] }) {
  const most = Math.max(1, ...among.map(({ retrying, stopped, exhausted }) => retrying + stopped + exhausted));
  const parts = [
    ['warn', host.retrying],
    ['info', host.stopped],
    ['bad', host.exhausted],
  ] as const;
  return (
    <span className="nowrap">
      {parts.map(
        ([colour, count], place) =>
          count > 0 && <Swatch key={colour} colour={colour} place={place} width={Math.ceil((count / most) * 160)} />,
      )}
    </span>
  );
}

function hostColumns(hosts: readonly Host[]): Column<Host>[] {
  return [
    {
      name: t('Host'),
      cell: ({ host, circuit }) => (
        <>
          <Link to={`/deliveries?host=${encodeURIComponent(host)}`} className="break">
            {host}
          </Link>{' '}
          <CircuitState circuit={circuit} />
        </>
      ),
    },
    { name: t('Failures'), wide: true, cell: (host) => <FailureBar of={host} among={hosts} /> },
    { name: t('Waiting'), number: true, wide: true, cell: ({ waiting }) => formatCount(waiting) },
    { name: word('Retrying'), number: true, cell: ({ retrying }) => formatCount(retrying) },
    { name: word('Stopped'), number: true, cell: ({ stopped }) => formatCount(stopped) },
    { name: word('Exhausted'), number: true, cell: ({ exhausted }) => formatCount(exhausted) },
    { name: t('Redelivery'), cell: (host) => host.stopped + host.exhausted > 0 && <RedeliverHost host={host.host} /> },
  ];
}

function RedeliverHost({ host }: { readonly host: string }) {
  return (
    <FormDialog
      trigger={t('Redeliver all')}
      triggerClass="small"
      title={t('Redeliver all to {}', host)}
      text={t('Stopped and exhausted deliveries to this host are queued again, 200 at a time.')}
      submit={t('Redeliver all')}
      done={({ queued, more }) =>
        more
          ? t('Queued: {}. There may be more: redeliver all again.', formatCount(queued))
          : t('Queued: {}.', formatCount(queued))
      }
      onSubmit={() => answer(api.POST('/admin/webhooks/deliveries/redeliver', { body: { host } }))}
    />
  );
}

function columns(): Column<Delivery>[] {
  return [
    { name: t('Status'), cell: ({ status }) => <Status value={status} /> },
    { name: t('About'), cell: (delivery) => <DeliverySubject {...delivery} /> },
    { name: t('Order'), wide: true, cell: ({ orderId }) => <span className="break">{orderId}</span> },
    { name: t('Amount'), number: true, cell: ({ amount }) => amount !== null && <Money value={amount} /> },
    {
      name: t('Partner'),
      wide: true,
      cell: ({ partnerUid, partnerName }) => (
        <Named uid={partnerUid} name={partnerName} to={`/partners/${partnerUid}`} />
      ),
    },
    {
      name: t('Account'),
      wide: true,
      cell: ({ accountUid, accountName }) => (
        <Named uid={accountUid} name={accountName} to={`/accounts/${accountUid}`} />
      ),
    },
    { name: t('Address'), wide: true, cell: ({ url }) => <span className="break">{url}</span> },
    { name: t('Attempts'), number: true, cell: ({ attempts }) => formatCount(attempts) },
    {
      name: t('Last response'),
      wide: true,
      cell: outcomeOf,
    },
    {
      name: t('Next attempt'),
      wide: true,
      cell: ({ nextAttemptAt, circuit }) =>
        circuit ? <CircuitState circuit={circuit} /> : <Moment value={nextAttemptAt} />,
    },
    { name: t('Redelivery'), cell: ({ id }) => <Redeliver id={id} /> },
  ];
}
