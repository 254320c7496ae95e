import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { answer, api, type Item, textOf } from '../../api/client.js';
import { useSession } from '../../app/session.js';
import { t } from '../../i18n/index.js';
import { TextField } from '../../ui/fields.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Page, Panel } from '../../ui/layout.js';
import { Secrets } from '../../ui/secret.js';
import { Answered, Empty } from '../../ui/states.js';
import { type Column, Table } from '../../ui/table.js';
import { Id, Moment, Status } from '../../ui/values.js';

type Auditor = Item<'/admin/auditors'>;

/** Auditors may only read. Operators register and revoke them. */
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
          {({ items }) => (
            <Table
              label={t('All auditors')}
              columns={columns()}
              rows={items}
              rowKey={({ id }) => id}
              empty={t('There is no auditor yet.')}
            />
          )}
        </Answered>
      </Panel>
    </Page>
  );
}

function columns(): Column<Auditor>[] {
  return [
    { name: t('Name'), cell: ({ name }) => <span className="break">{name}</span> },
    { name: t('Scope'), cell: ({ partnerUid }) => <Scope partnerUid={textOf(partnerUid)} /> },
    { name: t('Status'), cell: ({ status }) => <Status value={status} /> },
    { name: t('Registered'), wide: true, cell: ({ registeredAt }) => <Moment value={registeredAt} /> },
    { name: t('Id'), wide: true, cell: ({ id }) => <Id value={id} short /> },
    { name: t('Change'), cell: (one) => one.status === 'Active' && <Revoke {...one} /> },
  ];
}

function Scope({ partnerUid }: { readonly partnerUid: string | null }) {
  return partnerUid ? <Link to={`/partners/${partnerUid}`}>{t('one partner')}</Link> : t('all partners');
}

function NewAuditor() {
  return (
    <FormDialog
      trigger={t('New auditor')}
      triggerClass="primary"
      title={t('New auditor')}
      submit={t('Create')}
      done={t('The auditor is registered.')}
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
        hint={t('A label, not a name of a person: it stays in the event log.')}
        required
        maxLength={140}
      />
      <TextField name="partnerUid" label={t('Partner (uid)')} hint={t('Empty: all partners.')} />
    </FormDialog>
  );
}

function Revoke({ id, name }: Pick<Auditor, 'id' | 'name'>) {
  return (
    <FormDialog
      trigger={t('Revoke')}
      triggerClass="small danger"
      title={t('Revoke the auditor')}
      about={name}
      text={t('The credential and every session of it are refused within a second.')}
      submit={t('Revoke')}
      danger
      done={t('The auditor is revoked.')}
      onSubmit={() => answer(api.POST('/admin/auditors/{id}/revoke', { params: { path: { id } } }))}
    />
  );
}
