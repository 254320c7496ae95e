import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { answer, api, type Item } from '../../api/client.js';
import { useSession } from '../../app/session.js';
import { formatCount } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { Icon } from '../../ui/icon.js';
import { Page, Panel } from '../../ui/layout.js';
import { Answered } from '../../ui/states.js';
import { type Column, Table } from '../../ui/table.js';
import { Moment, Root, Status } from '../../ui/values.js';
import { Verifications } from './verifications.js';

type Partition = Item<'/audit/partitions'>;

/** Partitions with their sizes and seals; verification and export. */
export default function LedgerPage() {
  const { session } = useSession();
  const partitions = useQuery({
    queryKey: ['partitions'],
    queryFn: () => answer(api.GET('/audit/partitions')),
    refetchInterval: 3_000,
  });
  return (
    <Page
      title={t('Ledger')}
      actions={
        <a className="button" href="/audit/export" download="ledger-export.ndjson">
          <Icon name="download" /> {t('Export everything')}
        </a>
      }
    >
      <Panel title={t('Partitions')} flush>
        <Answered query={partitions}>
          {({ items }) => (
            <Table label={t('Partitions')} columns={columns()} rows={items} rowKey={({ partition }) => partition} />
          )}
        </Answered>
      </Panel>
      {session.partnerUid === null && <Verifications />}
    </Page>
  );
}

function columns(): Column<Partition>[] {
  return [
    {
      name: t('Partition'),
      cell: ({ partition }) => (
        <Link to={`/ledger/partitions/${partition}`}>
          {partition === 0 ? t('0 (registry)') : t('Partition {}', partition)}
        </Link>
      ),
    },
    { name: t('Events'), number: true, cell: ({ size }) => formatCount(size) },
    { name: t('Last event'), wide: true, cell: ({ lastEventAt }) => <Moment value={lastEventAt} /> },
    {
      name: t('Sealed'),
      cell: ({ unsealed }) =>
        unsealed === '0' ? (
          <Status value={t('all of it')} tone="good" />
        ) : (
          <Status value={t('{} not yet', formatCount(unsealed))} tone="warn" />
        ),
    },
    { name: t('Signed'), wide: true, cell: ({ checkpoint }) => <Moment value={checkpoint?.signedAt} /> },
    {
      name: t('Root'),
      wide: true,
      cell: ({ root }) => <Root value={root} />,
    },
    {
      name: t('Export'),
      cell: ({ partition }) => (
        <a href={`/audit/export?partition=${partition}`} download={`partition-${partition}.ndjson`}>
          NDJSON
        </a>
      ),
    },
  ];
}
