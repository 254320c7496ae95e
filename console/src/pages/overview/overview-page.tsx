import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { answer, api } from '../../api/client.js';
import { useSession } from '../../app/session.js';
import { t } from '../../i18n/index.js';
import { Choice } from '../../ui/fields.js';
import { Page } from '../../ui/layout.js';
import { Answered } from '../../ui/states.js';
import { Activity } from './activity.js';
import { Health } from './health.js';
import { Latency } from './latency.js';
import { Totals } from './totals.js';

const PERIODS = [
  [3_600_000, 'Last hour'],
  [6 * 3_600_000, 'Last 6 hours'],
  [24 * 3_600_000, 'Last 24 hours'],
  [7 * 24 * 3_600_000, 'Last 7 days'],
] as const;

/**
 * The state of the service, refreshed every three seconds. An auditor of one partner starts at that partner instead.
 */
export function OverviewPage() {
  const { session } = useSession();
  const [period, setPeriod] = useState<number>(PERIODS[0][0]);
  const overview = useQuery({
    queryKey: ['overview', period],
    queryFn: () =>
      answer(api.GET('/audit/overview', { params: { query: { from: new Date(Date.now() - period).toISOString() } } })),
    refetchInterval: 3_000,
    enabled: session.partnerUid === null,
  });
  if (session.partnerUid !== null) return <Navigate to={`/partners/${session.partnerUid}`} replace />;
  return (
    <Page
      title={t('Overview')}
      actions={
        <Choice
          label={t('Period')}
          value={period}
          options={PERIODS.map(([length, name]) => [length, t(name)])}
          onChange={setPeriod}
        />
      }
    >
      <Answered query={overview} lines={8}>
        {(data) => (
          <>
            <Totals overview={data} />
            <Activity overview={data} />
            <Latency period={period} />
            <Health overview={data} />
          </>
        )}
      </Answered>
    </Page>
  );
}
