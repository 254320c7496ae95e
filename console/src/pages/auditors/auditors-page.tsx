import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { answer, api, textOf } from '../../api/client.js';
import { useSession } from '../../app/session.js';
import { t } from '../../i18n/index.js';
import { TextField } from '../../ui/fields.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Page, Panel } from '../../ui/layout.js';
import { Secrets } from '../../ui/secret.js';
import { Answered, Empty } from '../../ui/states.js';
import { Id, Moment, Status } from '../../ui/values.js';
import { Scroll } from '../../ui/scroll.js';

/** Who may read, and nothing else: given and taken by the operator. */
export default function AuditorsPage() {
  const { mayChange } = useSession();
  const auditors = useQuery({
    queryKey: ['auditors'],
    queryFn: () => answer(api.GET('/admin/auditors')),
    enabled: mayChange,
  });
  if (!mayChange) {
    return (
      <Page title={t('Auditors')}>
        <Empty title={t('Only operators see this page.')} />
      </Page>
    );
  }
  return (
    <Page title={t('Auditors')} actions={<NewAuditor />}>
      <Panel title={t('All auditors')} flush>
        <Answered query={auditors}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={t('There is no auditor yet.')} />
            ) : (
              <Scroll label={t('All auditors')}>
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">{t('Name')}</th>
                      <th scope="col">{t('Sees')}</th>
                      <th scope="col">{t('Status')}</th>
                      <th scope="col" className="wide">
                        {t('Registered')}
                      </th>
                      <th scope="col" className="wide">
                        {t('Id')}
                      </th>
                      <th scope="col">{t('Change')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map(({ id, name, partnerUid, status, registeredAt }) => (
                      <tr key={id}>
                        <td className="break">{name}</td>
                        <td>
                          {textOf(partnerUid) ? (
                            <Link to={`/partners/${textOf(partnerUid)}`}>{t('one partner')}</Link>
                          ) : (
                            t('everything')
                          )}
                        </td>
                        <td>
                          <Status value={status} />
                        </td>
                        <td className="wide">
                          <Moment value={registeredAt} />
                        </td>
                        <td className="wide">
                          <Id value={id} short />
                        </td>
                        <td>{status === 'Active' && <Revoke id={id} />}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            )
          }
        </Answered>
      </Panel>
    </Page>
  );
}

function NewAuditor() {
  return (
    <FormDialog
      trigger={t('New auditor')}
      triggerClass="primary"
      title={t('New auditor')}
      submit={t('Create')}
      done={t('The auditor may read.')}
      onSubmit={(values) =>
        answer(
          api.POST('/admin/auditors', {
            body: {
              name: values['name'] ?? '',
              ...(values['partnerUid'] && { partnerUid: values['partnerUid'] }),
            },
          }),
        )
      }
      result={({ token }) => <Secrets secrets={[[t('Credential'), token]]} />}
    >
      <TextField
        name="name"
        label={t('Name')}
        hint={t('A label, not a person: it stays in the history.')}
        required
        maxLength={140}
      />
      <TextField name="partnerUid" label={t('Partner (uid)')} hint={t('Empty: the auditor sees everything.')} />
    </FormDialog>
  );
}

function Revoke({ id }: { readonly id: string }) {
  return (
    <FormDialog
      trigger={t('Revoke')}
      triggerClass="small danger"
      title={t('Revoke the auditor')}
      text={t('The credential and every session of it are refused within a second.')}
      submit={t('Revoke')}
      danger
      done={t('The auditor is revoked.')}
      onSubmit={() => answer(api.POST('/admin/auditors/{id}/revoke', { params: { path: { id } } }))}
    />
  );
}
