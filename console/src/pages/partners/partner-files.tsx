import { Progress } from '@base-ui/react/progress';
import { answer, api, type Item } from '../../api/client.js';
import { usePages } from '../../api/pages.js';
import { formatCount } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { DataTable } from '../../ui/data-table.js';
import { Panel } from '../../ui/layout.js';
import type { Column } from '../../ui/table.js';
import { Id, Moment, Money, Status } from '../../ui/values.js';

type PayoutFile = Item<'/audit/partners/{uid}/payout-files'>;

/** A partner's files of payouts, each with how far it is. */
export function PartnerFiles({ uid }: { readonly uid: string }) {
  const files = usePages(
    ['partner-files', uid],
    (cursor) =>
      answer(
        api.GET('/audit/partners/{uid}/payout-files', { params: { path: { uid }, query: { limit: 50, cursor } } }),
      ),
    { live: 1_000 },
  );
  return (
    <Panel title={t('Payout files')} flush>
      <DataTable
        label={t('Payout files')}
        pages={files}
        columns={columns()}
        rowKey={({ id }) => id}
        empty={t('This partner has sent no file yet.')}
      />
    </Panel>
  );
}

function columns(): Column<PayoutFile>[] {
  return [
    { name: t('Accepted'), cell: ({ acceptedAt }) => <Moment value={acceptedAt} /> },
    { name: t('State'), cell: ({ state }) => <Status value={state} /> },
    { name: t('Progress'), cell: (file) => <FileProgress file={file} /> },
    { name: t('Amount'), number: true, cell: ({ amount }) => <Money value={amount} /> },
    { name: t('Completed'), number: true, wide: true, cell: ({ counts }) => formatCount(counts.completed) },
    { name: t('Error'), number: true, wide: true, cell: ({ counts }) => formatCount(counts.error) },
    { name: t('Account'), wide: true, cell: ({ accountUid }) => <Id value={accountUid} short /> },
    { name: t('Id'), wide: true, cell: ({ id }) => <Id value={id} short /> },
  ];
}

/** Lines that are not waited for any more, of all. */
function FileProgress({ file: { lines, counts } }: { readonly file: PayoutFile }) {
  const begun = lines - counts.waiting;
  const text = t('{} of {} lines', formatCount(begun), formatCount(lines));
  return (
    <Progress.Root
      className="progress"
      value={begun}
      max={lines}
      aria-label={t('Progress')}
      getAriaValueText={() => text}
    >
      <Progress.Track className="progress-track">
        <Progress.Indicator className="progress-fill" />
      </Progress.Track>
      <span className="muted nowrap">{text}</span>
    </Progress.Root>
  );
}
