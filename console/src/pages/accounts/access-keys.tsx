import { answer, api, type Item } from '../../api/client.js';
import { usePages } from '../../api/pages.js';
import { useSession } from '../../app/session.js';
import { momentOf } from '../../format/date.js';
import { type Phrase, t } from '../../i18n/index.js';
import { DataTable } from '../../ui/data-table.js';
import { ChecksField, TextField } from '../../ui/fields.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Panel } from '../../ui/layout.js';
import { Secrets } from '../../ui/secret.js';
import type { Column } from '../../ui/table.js';
import { Id, Moment, None, Status } from '../../ui/values.js';

type AccessKey = Item<'/audit/accounts/{uid}/access-keys'>;

type Permission = AccessKey['permissions'][number];

const PERMISSIONS = Object.keys({
  'accounts:read': true,
  'transfers:write': true,
  'pix:cashin': true,
  'pix:cashout': true,
  'webhooks:manage': true,
} satisfies Record<Permission, true>) as Permission[];

export function AccessKeys({ uid }: { readonly uid: string }) {
  const { mayChange } = useSession();
  const keys = usePages(['access-keys', uid], (cursor) =>
    answer(api.GET('/audit/accounts/{uid}/access-keys', { params: { path: { uid }, query: { limit: 100, cursor } } })),
  );
  return (
    <Panel title={t('Access keys')} flush actions={mayChange && <NewKey uid={uid} />}>
      <DataTable
        label={t('Access keys')}
        pages={keys}
        columns={columns(mayChange)}
        rowKey={({ accessKey }) => accessKey}
        empty={t('This account has no access key yet.')}
      />
    </Panel>
  );
}

function columns(mayChange: boolean): Column<AccessKey>[] {
  const columns: Column<AccessKey>[] = [
    { name: t('Name'), cell: ({ name }) => <span className="break">{name ?? <None />}</span> },
    { name: t('Access key'), cell: ({ accessKey }) => <Id value={accessKey} short /> },
    { name: t('Status'), cell: ({ status }) => <Status value={status} /> },
    { name: t('Permissions'), wide: true, cell: ({ permissions }) => permissions.join(', ') },
    { name: t('Networks'), wide: true, cell: ({ allowedIps }) => allowedIps?.join(', ') ?? t('any') },
    { name: t('Expires'), wide: true, cell: ({ expiresAt }) => <Moment value={expiresAt} /> },
    { name: t('Issued'), wide: true, cell: ({ issuedAt }) => <Moment value={issuedAt} /> },
  ];
  return mayChange ? [...columns, { name: t('Change'), cell: (key) => <KeyActions issued={key} /> }] : columns;
}

function NewKey({ uid }: { readonly uid: string }) {
  return (
    <FormDialog
      trigger={t('New access key')}
      triggerClass="primary small"
      title={t('New access key')}
      submit={t('Issue')}
      done={t('The access key is issued.')}
      onSubmit={(values) =>
        answer(
          api.POST('/admin/accounts/{uid}/access-keys', {
            params: { path: { uid } },
            body: {
              ...(values['name'] && { name: values['name'] }),
              ...(values['expiresAt'] && { expiresAt: momentOf(values['expiresAt']) }),
              ...(values['allowedIps'] && { allowedIps: values['allowedIps'].split(/[\s,]+/) }),
              permissions: (values['permissions']?.split(',') ?? []) as Permission[],
            },
          }),
        )
      }
      result={({ accessKey, secret }) => (
        <Secrets
          secrets={[
            [t('Access key'), accessKey],
            [t('Secret'), secret],
          ]}
        />
      )}
    >
      <TextField name="name" label={t('Name')} maxLength={140} />
      <ChecksField
        name="permissions"
        legend={t('Permissions')}
        options={PERMISSIONS.map((one) => [one, one])}
        checked={[]}
      />
      <TextField name="expiresAt" type="datetime-local" label={t('Expires')} hint={t('Empty: never.')} />
      <TextField
        name="allowedIps"
        label={t('Networks')}
        hint={t('Addresses or CIDR, divided by commas. Empty: any.')}
      />
    </FormDialog>
  );
}

const ACTS = {
  disable: [
    'Disable',
    'Tokens issued to it are refused within a second. It can be enabled again.',
    'The key is disabled.',
  ],
  enable: ['Enable', 'It can log in again.', 'The key is enabled.'],
  revoke: ['Revoke', 'Permanent: it cannot be enabled again.', 'The key is revoked.'],
} as const satisfies Record<string, readonly [Phrase, Phrase, Phrase]>;

function KeyActions({ issued: { accessKey, name: label, status } }: { readonly issued: AccessKey }) {
  const acts =
    status === 'Active'
      ? (['disable', 'revoke'] as const)
      : status === 'Disabled'
        ? (['enable', 'revoke'] as const)
        : [];
  return (
    <div className="row">
      {acts.map((act) => {
        const [name, text, done] = ACTS[act];
        return (
          <FormDialog
            key={act}
            trigger={t(name)}
            triggerClass={`small ${act === 'revoke' ? 'danger' : ''}`}
            title={t('{} the access key', t(name))}
            about={label ?? accessKey}
            text={t(text)}
            submit={t(name)}
            danger={act !== 'enable'}
            done={t(done)}
            onSubmit={() =>
              answer(api.POST(`/admin/access-keys/{accessKey}/${act}`, { params: { path: { accessKey } } }))
            }
          />
        );
      })}
    </div>
  );
}
