import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Data } from '../../api/client.js';
import { formatDuration, formatMoment } from '../../format/date.js';
import { formatCount } from '../../format/money.js';
import { t, word } from '../../i18n/index.js';
import { Chart } from '../../ui/chart.js';
import { Choice } from '../../ui/fields.js';
import { Panel } from '../../ui/layout.js';
import { Answered, Empty } from '../../ui/states.js';
import { type Column, Table } from '../../ui/table.js';

type Step = Data<'/audit/overview/latency'>['series'][number];

/** A transfer is completed as it is registered. */
const KINDS = ['CashOut', 'CashIn', 'Refund'] as const;

/** Time from registration to completion of one kind, over time. @param period milliseconds, until now */
export function Latency({ period }: { readonly period: number }) {
  const [chosen, setKind] = useState<(typeof KINDS)[number]>();
  const latency = useQuery({
    queryKey: ['latency', period],
    queryFn: () => {
      const from = new Date(Date.now() - period).toISOString();
      return answer(api.GET('/audit/overview/latency', { params: { query: { from } } }));
    },
    refetchInterval: 10_000,
  });
  // The first kind with data.
  const kind = chosen ?? KINDS.find((one) => latency.data?.series.some(({ type }) => type === one)) ?? KINDS[0];
  return (
    <Panel
      title={t('Latency over time')}
      actions={
        <Choice
          label={t('Kind')}
          value={kind}
          options={KINDS.map((one) => [one, word(one)] as const)}
          onChange={setKind}
        />
      }
    >
      <Answered query={latency} lines={4}>
        {({ series }) => <LatencyChart steps={series.filter(({ type }) => type === kind)} />}
      </Answered>
    </Panel>
  );
}

function LatencyChart({ steps }: { readonly steps: readonly Step[] }) {
  if (steps.length === 0) return <Empty title={t('No transaction was completed in this period.')} />;
  return (
    <Chart
      label={t('Latency over time')}
      times={steps.map(({ at }) => Date.parse(at) / 1000)}
      series={[
        { name: 'p50', colour: 'accent', values: steps.map(({ p50Ms }) => p50Ms) },
        { name: 'p99', colour: 'bad', values: steps.map(({ p99Ms }) => p99Ms) },
      ]}
      shape="line"
      format={formatDuration}
      table={<Table label={t('Latency over time')} columns={columns()} rows={steps} rowKey={({ at }) => at} />}
    />
  );
}

function columns(): Column<Step>[] {
  return [
    { name: t('Time'), cell: ({ at }) => <span className="nowrap">{formatMoment(at)}</span> },
    { name: t('Number'), number: true, cell: ({ count }) => formatCount(count) },
    { name: 'p50', number: true, cell: ({ p50Ms }) => formatDuration(p50Ms) },
    { name: 'p99', number: true, cell: ({ p99Ms }) => formatDuration(p99Ms) },
  ];
}
