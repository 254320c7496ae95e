import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { answer, api } from '../../api/client.js';
import type { Account } from '../../api/views.js';
import { useSession } from '../../app/session.js';
import { formatBankAccount } from '../../format/tax-number.js';
import { formatCount } from '../../format/money.js';
import { t, word } from '../../i18n/index.js';
import { Fact, Facts, Page, Panel, Tile } from '../../ui/layout.js';
import { Answered } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { Id, Moment, Money, Status, TaxNumber } from '../../ui/values.js';
import { AccessKeys } from './access-keys.js';
import { AccountActions } from './account-actions.js';
import { AccountDeliveries } from './account-deliveries.js';
import { AsOf } from './as-of.js';
import { BalanceChart } from './balance-chart.js';
import { Holds } from './holds.js';
import { PayoutLimits } from './payout-limits.js';
import { Statement } from './statement.js';

export default function AccountPage() {
  const uid = useParams()['uid']!;
  const { mayChange } = useSession();
  const account = useQuery({
    queryKey: ['account', uid],
    queryFn: () => answer(api.GET('/audit/accounts/{uid}', { params: { path: { uid } } })),
    refetchInterval: 3_000,
  });
  const partnerUid = account.data?.partnerUid;
  const partner = useQuery({
    queryKey: ['partner', partnerUid],
    queryFn: () => answer(api.GET('/audit/partners/{uid}', { params: { path: { uid: partnerUid! } } })),
    enabled: partnerUid !== undefined,
  });
  return (
    <Page
      title={account.data?.name || t('Account')}
      crumbs={
        partnerUid === undefined
          ? [['/partners', t('Partners')]]
          : [
              ['/partners', t('Partners')],
              [`/partners/${partnerUid}`, partner.data?.name || t('Partner')],
            ]
      }
      actions={
        <>
          <Link className="button" to={`/transactions?account=${uid}`}>
            {t('Transactions')}
          </Link>
          {mayChange && account.data && <AccountActions account={account.data} />}
        </>
      }
    >
      <Answered query={account}>
        {(data) => (
          <>
            <div className="tiles">
              <Tile name={t('Available')} value={<Money value={data.balance.available} />} />
              <Tile name={t('Held')} value={<Money value={data.balance.held} />} />
              {data.balance.blocked !== '0.00' && (
                <Tile name={t('Blocked by holds')} value={<Money value={data.balance.blocked} />} />
              )}
              <Tile name={t('Entries')} value={formatCount(data.entries)} />
              <Tile name={t('Status')} value={<Status value={data.status} />} />
            </div>
            <Tabs
              label={t('Account')}
              tabs={[
                [
                  'balance',
                  t('Balance and statement'),
                  <div key="b" className="page">
                    <div className="columns">
                      <BalanceChart uid={uid} />
                      <AsOf uid={uid} />
                    </div>
                    <Statement uid={uid} />
                  </div>,
                ],
                ['holds', t('Holds'), <Holds key="h" uid={uid} />],
                ['limits', t('Payout limits'), <PayoutLimits key="l" uid={uid} />],
                ['keys', t('Access keys'), <AccessKeys key="k" uid={uid} />],
                ['details', t('Details'), <Details key="d" account={data} />],
                ...(mayChange
                  ? ([['deliveries', t('Deliveries'), <AccountDeliveries key="w" uid={uid} />]] as const)
                  : []),
              ]}
            />
          </>
        )}
      </Answered>
    </Page>
  );
}

function Details({ account }: { readonly account: Account }) {
  return (
    <Panel title={t('Details')}>
      <Facts>
        <Fact name={t('Holder')}>{account.name || t('(erased)')}</Fact>
        <Fact name={t('CPF or CNPJ')}>
          <TaxNumber value={account.taxNumber} />
        </Fact>
        <Fact name={t('Branch / account')}>{formatBankAccount(account.branch, account.number, account.digit)}</Fact>
        <Fact name="ISPB">{account.ispb}</Fact>
        <Fact name={t('Type')}>{word(account.type)}</Fact>
        <Fact name={t('Class')}>{word(account.class)}</Fact>
        <Fact name={t('Opened')}>
          <Moment value={account.openedAt} />
        </Fact>
        <Fact name={t('Partition')}>
          <Link to={`/ledger/partitions/${account.partition}`}>{account.partition}</Link>
        </Fact>
        <Fact name={t('Id')}>
          <Id value={account.uid} />
        </Fact>
        <Fact name={t('Partner')}>
          <Id value={account.partnerUid} to={`/partners/${account.partnerUid}`} />
        </Fact>
      </Facts>
    </Panel>
  );
}
