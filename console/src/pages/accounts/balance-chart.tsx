import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { answer, api, type Data } from '../../api/client.js';
import { formatMoment, today, startOfDay } from '../../format/date.js';
import { centavosOf, formatMoney, fromCentavos } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { Chart } from '../../ui/chart.js';
import { Choice } from '../../ui/fields.js';
import { Panel } from '../../ui/layout.js';
import type { Series } from '../../ui/series.js';
import { Answered, Empty } from '../../ui/states.js';
import { type Column, Table } from '../../ui/table.js';

type Balances = Data<'/audit/accounts/{uid}/balances'>;

const PERIODS = [
  [0, 'Since it was opened'],
  [30, 'Last 30 days'],
  [7, 'Last 7 days'],
  [1, 'Today'],
] as const;
const reais = (value: number) => formatMoney(fromCentavos(String(Math.round(value)))).replace(/,\d\d$/, '');

/** The available and held balance after every entry, or after an even sample of them. */
export function BalanceChart({ uid }: { readonly uid: string }) {
  const [days, setDays] = useState<number>(0);
  const from = days === 0 ? undefined : startOfDay(today(), 1 - days);
  const balances = useQuery({
    queryKey: ['balances', uid, days],
    queryFn: () => answer(api.GET('/audit/accounts/{uid}/balances', { params: { path: { uid }, query: { from } } })),
    refetchInterval: 5_000,
  });
  return (
    <Panel
      title={t('Balance over time')}
      actions={
        <Choice
          label={t('Period')}
          value={days}
          options={PERIODS.map(([value, name]) => [value, t(name)])}
          onChange={setDays}
        />
      }
    >
      <Answered query={balances}>
        {(data) =>
          data.points.length === 0 ? (
            <Empty title={t('No entries in this period.')}>
              <span>{t('Available then: {}', formatMoney(data.before.available))}</span>
            </Empty>
          ) : (
            <BalanceDrawing data={data} />
          )
        }
      </Answered>
    </Panel>
  );
}

function BalanceDrawing({ data }: { readonly data: Balances }) {
  const drawn = useMemo(() => seriesOf(data), [data]);
  return (
    <Chart
      label={t('Balance over time')}
      {...drawn}
      shape="steps"
      format={reais}
      table={
        <Table
          label={t('Balance over time')}
          columns={columns()}
          rows={data.points}
          rowKey={({ at, entry }) => `${at}${entry}`}
        />
      }
    />
  );
}

function columns(): Column<Balances['points'][number]>[] {
  return [
    { name: t('Time'), cell: ({ at }) => <span className="nowrap">{formatMoment(at)}</span> },
    { name: t('Available'), number: true, cell: ({ available }) => formatMoney(available) },
    { name: t('Held'), number: true, cell: ({ held }) => formatMoney(held) },
    { name: t('Blocked by holds'), number: true, cell: ({ blocked }) => formatMoney(blocked) },
  ];
}

/** The series up to now: the last balance still holds. */
function seriesOf({ points }: Balances): { times: number[]; series: Series[] } {
  const times = points.map(({ at }) => Date.parse(at) / 1000);
  const last = points.at(-1)!;
  const now = Date.now() / 1000;
  const withNow = <Value,>(values: Value[], value: Value) => [...values, value];
  const held = points.map((point) => Number(centavosOf(point.held)));
  const available = points.map((point) => Number(centavosOf(point.available)));
  const series: Series[] = [
    { name: t('Available'), colour: 'accent', values: withNow(available, Number(centavosOf(last.available))) },
  ];
  if (held.some((value) => value !== 0)) {
    series.push({ name: t('Held'), colour: 'warn', values: withNow(held, Number(centavosOf(last.held))) });
  }
  return { times: withNow(times, Math.max(now, times.at(-1)!)), series };
}
