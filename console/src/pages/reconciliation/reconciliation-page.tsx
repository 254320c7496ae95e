import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { answer, api, type Data } from '../../api/client.js';
import { useSession } from '../../app/session.js';
import { formatMoment, today } from '../../format/date.js';
import { formatCount } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { LATEST_DAY } from '../../ui/fields.js';
import { Page, Panel } from '../../ui/layout.js';
import { Answered, Empty } from '../../ui/states.js';
import { type Column, Table } from '../../ui/table.js';
import { Money, Status } from '../../ui/values.js';
import { Verbatim } from '../../ui/scroll.js';
import { Cases } from './cases.js';
import { MOVEMENTS } from './movements.js';

type Day = Data<'/admin/reconciliation'>;

type Movement = keyof typeof MOVEMENTS;

/** A day's movements at the rail, compared with the ledger's. */
export default function ReconciliationPage() {
  const { mayChange } = useSession();
  const [search, setSearch] = useSearchParams();
  const date = search.get('date') ?? today();
  const day = useQuery({
    queryKey: ['reconciliation', date],
    queryFn: () => answer(api.GET('/admin/reconciliation', { params: { query: { date } } })),
    enabled: mayChange,
  });
  if (!mayChange) {
    return (
      <Page title={t('Reconciliation')}>
        <Empty title={t('Only operators see this page.')} />
      </Page>
    );
  }
  return (
    <Page
      title={t('Reconciliation')}
      actions={<DayField day={date} onChange={(next) => setSearch({ date: next }, { replace: true })} />}
    >
      <Cases />
      <Answered query={day}>{(data) => <DayPanels day={data} />}</Answered>
    </Page>
  );
}

interface DayFieldProps {
  readonly day: string;
  readonly onChange: (day: string) => void;
}

/**
 * What is typed is kept here: the address follows a moment later, and a field that shows it meanwhile would take back
 * the key that was pressed.
 */
function DayField({ day, onChange }: DayFieldProps) {
  const [typed, setTyped] = useState(day);
  const [shown, setShown] = useState(day);
  if (shown !== day) {
    setShown(day);
    setTyped(day);
  }
  return (
    <label className="row">
      {t('Day')}
      <input
        type="date"
        max={LATEST_DAY}
        className="input date"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value) onChange(target.value);
        }}
      />
    </label>
  );
}

function DayPanels({ day }: { readonly day: Day }) {
  const mismatches = day.mismatches as readonly unknown[];
  return (
    <>
      <Panel
        title={t('From {} to {}', formatMoment(day.from), formatMoment(day.to))}
        flush
        actions={
          day.matches ? <Status value={t('matches')} tone="good" /> : <Status value={t('does not match')} tone="bad" />
        }
      >
        <Table
          label={t('Reconciliation')}
          columns={columns(day)}
          rows={Object.keys(MOVEMENTS) as Movement[]}
          rowKey={(movement) => movement}
        />
      </Panel>
      {mismatches.length > 0 && (
        <Panel title={t('Mismatches ({})', day.mismatched)}>
          <Verbatim label={t('Mismatches')}>{JSON.stringify(mismatches, null, 2)}</Verbatim>
        </Panel>
      )}
    </>
  );
}

function columns({ rail, ledger }: Day): Column<Movement>[] {
  return [
    { name: t('Movement'), heading: true, cell: (movement) => t(MOVEMENTS[movement]) },
    { name: t('Rail, number'), number: true, wide: true, cell: (movement) => formatCount(rail[movement].count) },
    { name: t('Rail, volume'), number: true, cell: (movement) => <Money value={rail[movement].amount} /> },
    { name: t('Ledger, number'), number: true, wide: true, cell: (movement) => formatCount(ledger[movement].count) },
    { name: t('Ledger, volume'), number: true, cell: (movement) => <Money value={ledger[movement].amount} /> },
  ];
}
