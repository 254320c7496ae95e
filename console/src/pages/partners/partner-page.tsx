import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { answer, api } from '../../api/client.js';
import { useSession } from '../../app/session.js';
import { t } from '../../i18n/index.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Fact, Facts, Page, Panel } from '../../ui/layout.js';
import { Secrets } from '../../ui/secret.js';
import { Answered } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { Id, Moment, TaxNumber } from '../../ui/values.js';
import { PartnerAccounts } from './partner-accounts.js';
import { PartnerFiles } from './partner-files.js';
import { PartnerLimits } from './partner-limits.js';

export default function PartnerPage() {
  const uid = useParams()['uid']!;
  const { mayChange } = useSession();
  const partner = useQuery({
    queryKey: ['partner', uid],
    queryFn: () => answer(api.GET('/audit/partners/{uid}', { params: { path: { uid } } })),
  });
  return (
    <Page
      title={partner.data?.name || t('Partner')}
      crumbs={[['/partners', t('Partners')]]}
      actions={
        <>
          <Link className="button" to={`/transactions?partner=${uid}`}>
            {t('Transactions')}
          </Link>
          {mayChange && <RotateSecret uid={uid} />}
        </>
      }
    >
      <Answered query={partner}>
        {(data) => (
          <>
            <Panel title={t('Partner')}>
              <Facts>
                <Fact name={t('CPF or CNPJ')}>
                  <TaxNumber value={data.taxNumber} />
                </Fact>
                <Fact name={t('Registered')}>
                  <Moment value={data.registeredAt} />
                </Fact>
                <Fact name={t('Partition')}>
                  <Link to={`/ledger/partitions/${data.partition}`}>{data.partition}</Link>
                </Fact>
                <Fact name={t('Id')}>
                  <Id value={data.uid} />
                </Fact>
              </Facts>
            </Panel>
            <Tabs
              label={t('Partner')}
              tabs={[
                ['accounts', t('Accounts'), <PartnerAccounts key="a" partner={data} />],
                ['files', t('Payout files'), <PartnerFiles key="f" uid={data.uid} />],
                ['limits', t('Limits and charges'), <PartnerLimits key="l" partner={data} />],
              ]}
            />
          </>
        )}
      </Answered>
    </Page>
  );
}

function RotateSecret({ uid }: { readonly uid: string }) {
  return (
    <FormDialog
      trigger={t('Rotate webhook secret')}
      title={t('Rotate webhook secret')}
      text={t('Deliveries are signed with both secrets for 24 hours, then with the new one alone.')}
      submit={t('Rotate')}
      done={t('The webhook secret is rotated.')}
      onSubmit={() => answer(api.POST('/admin/partners/{uid}/webhook-secret/rotate', { params: { path: { uid } } }))}
      result={({ webhookSecret }) => <Secrets secrets={[[t('Webhook secret'), webhookSecret]]} />}
    />
  );
}
