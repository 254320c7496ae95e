import { useMemo, useState } from 'react';
import type { Overview } from '../../api/views.js';
import { centavosOf, formatCount, formatMoney, fromCentavos } from '../../format/money.js';
import { formatMoment } from '../../format/date.js';
import { t, word } from '../../i18n/index.js';
import { Chart } from '../../ui/chart.js';
import { Choice } from '../../ui/fields.js';
import { Panel } from '../../ui/layout.js';
import type { Series } from '../../ui/series.js';
import { Empty } from '../../ui/states.js';
import { type Column, Table } from '../../ui/table.js';

const STEPS = { minute: 60, hour: 3_600, day: 86_400 } as const;
const KINDS: readonly (readonly [type: string, colour: Series['colour']])[] = [
  ['Transfer', 'accent'],
  ['CashIn', 'good'],
  ['CashOut', 'info'],
  ['Refund', 'warn'],
];
const STATES: readonly (readonly [state: string, colour: Series['colour']])[] = [
  ['Completed', 'good'],
  ['Scheduled', 'muted'],
  ['Registered', 'info'],
  ['Error', 'bad'],
  ['Reversed', 'warn'],
  ['Cancelled', 'muted'],
];
const wholeCount = (value: number) => formatCount(Math.round(value));
const wholeReais = (value: number) => formatMoney(fromCentavos(String(Math.round(value)))).replace(/,\d\d$/, '');
const FORMATS = {
  count: wholeCount,
  amount: wholeReais,
  success: (value: number) => `${Math.round(value)} %`,
} as const;

/** Transactions over time: number or volume, by kind or by state, and the success rate of each kind. */
export function Activity({ overview }: { readonly overview: Overview }) {
  const [by, setBy] = useState<'type' | 'state'>('type');
  const [what, setWhat] = useState<'count' | 'amount' | 'success'>('count');
  const { times, series } = useMemo(
    () => (what === 'success' ? successOf(overview) : seriesOf(overview, by, what)),
    [overview, by, what],
  );
  return (
    <Panel
      title={t('Transactions over time')}
      actions={
        <>
          <Choice
            label={t('Measure')}
            value={what}
            options={[
              ['count', t('Number')],
              ['amount', t('Volume')],
              ['success', t('Success rate')],
            ]}
            onChange={setWhat}
          />
          {what !== 'success' && (
            <Choice
              label={t('By')}
              value={by}
              options={[
                ['type', t('by kind')],
                ['state', t('by state')],
              ]}
              onChange={setBy}
            />
          )}
        </>
      }
    >
      {series.length === 0 ? (
        <Empty title={t('No transactions in this period.')} />
      ) : (
        <Chart
          label={t('Transactions over time')}
          times={times}
          series={series}
          shape={what === 'success' ? 'line' : 'columns'}
          format={FORMATS[what]}
          table={
            <Table
              label={t('Transactions over time')}
              columns={columns()}
              rows={overview.series}
              rowKey={({ at, type, state }) => `${at}${type}${state}`}
            />
          }
        />
      )}
    </Panel>
  );
}

function columns(): Column<Overview['series'][number]>[] {
  return [
    { name: t('Time'), cell: ({ at }) => <span className="nowrap">{formatMoment(at)}</span> },
    { name: t('Kind'), cell: ({ type }) => word(type) },
    { name: t('State'), cell: ({ state }) => word(state) },
    { name: t('Number'), number: true, cell: ({ count }) => formatCount(count) },
    { name: t('Volume'), number: true, cell: ({ amount }) => formatMoney(amount) },
  ];
}

/** The success rate of each kind in per cent; `null` where nothing ended. */
function successOf(overview: Overview) {
  const { times, placeOf } = stepsOf(overview);
  const found = KINDS.flatMap(([name, colour]): Series[] => {
    const [ended, good] = [new Array<number>(times.length).fill(0), new Array<number>(times.length).fill(0)];
    for (const { type, state, at, count } of overview.series) {
      const place = placeOf(at);
      if (type !== name || ['Scheduled', 'Registered'].includes(state) || !(place in ended)) continue;
      ended[place]! += count;
      if (state === 'Completed') good[place]! += count;
    }
    const values = ended.map((count, place) => (count === 0 ? null : (good[place]! / count) * 100));
    return values.some((value) => value !== null) ? [{ name: word(name), colour, values }] : [];
  });
  return { times, series: found };
}

/** The steps of the period, empty ones included. */
function stepsOf({ from, to, step }: Overview) {
  const length = STEPS[step];
  const start = Math.floor(Date.parse(from) / 1000 / length) * length;
  const end = Date.parse(to) / 1000;
  const times: number[] = [];
  for (let time = start; time <= end; time += length) times.push(time);
  return { times, placeOf: (at: string) => Math.floor((Date.parse(at) / 1000 - start) / length) };
}

/** By kind: completed transactions. By state: transactions of all kinds. */
function seriesOf(overview: Overview, by: 'type' | 'state', what: 'count' | 'amount') {
  const { times, placeOf } = stepsOf(overview);
  const found = (by === 'type' ? KINDS : STATES).flatMap(([name, colour]): Series[] => {
    const values = new Array<number>(times.length).fill(0);
    for (const point of overview.series) {
      if (point[by] !== name || (by === 'type' && point.state !== 'Completed')) continue;
      const place = placeOf(point.at);
      if (place in values) values[place]! += what === 'count' ? point.count : Number(centavosOf(point.amount));
    }
    return values.some((value) => value > 0) ? [{ name: word(name), colour, values }] : [];
  });
  return { times, series: found };
}
