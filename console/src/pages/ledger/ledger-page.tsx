import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { answer, api } from '../../api/client.js';
import { useSession } from '../../app/session.js';
import { formatCount } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { Icon } from '../../ui/icon.js';
import { Page, Panel } from '../../ui/layout.js';
import { Answered } from '../../ui/states.js';
import { Moment, Status } from '../../ui/values.js';
import { Verifications } from './verifications.js';
import { Scroll } from '../../ui/scroll.js';

/** Partitions, how large they are and how far they are sealed; verification and export. */
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
            <Scroll label={t('Partitions')}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">{t('Partition')}</th>
                    <th scope="col" className="number">
                      {t('Events')}
                    </th>
                    <th scope="col" className="wide">
                      {t('Last event')}
                    </th>
                    <th scope="col">{t('Sealed')}</th>
                    <th scope="col" className="wide">
                      {t('Signed')}
                    </th>
                    <th scope="col" className="wide">
                      {t('Root')}
                    </th>
                    <th scope="col">{t('Export')}</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ partition, size, lastEventAt, unsealed, checkpoint, root }) => (
                    <tr key={partition}>
                      <td>
                        <Link to={`/ledger/partitions/${partition}`}>
                          {partition === 0 ? t('0 (registry)') : t('Partition {}', partition)}
                        </Link>
                      </td>
                      <td className="number">{formatCount(size)}</td>
                      <td className="wide">
                        <Moment value={lastEventAt} />
                      </td>
                      <td>
                        {unsealed === '0' ? (
                          <Status value={t('all of it')} tone="good" />
                        ) : (
                          <Status value={t('{} not yet', formatCount(unsealed))} tone="warn" />
                        )}
                      </td>
                      <td className="wide">
                        <Moment value={checkpoint?.signedAt} />
                      </td>
                      <td className="wide mono" title={root}>
                        {root.slice(0, 12)}…
                      </td>
                      <td>
                        <a href={`/audit/export?partition=${partition}`} download={`partition-${partition}.ndjson`}>
                          NDJSON
                        </a>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )}
        </Answered>
      </Panel>
      {session.partnerUid === null && <Verifications />}
    </Page>
  );
}
