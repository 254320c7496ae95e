import { Link } from 'react-router';
import { answer, api, type Item } from '../../api/client.js';
import { usePages } from '../../api/pages.js';
import type { Partner } from '../../api/views.js';
import { useSession } from '../../app/session.js';
import { formatBankAccount, formatTaxNumber, plainTaxNumber } from '../../format/tax-number.js';
import { t, word } from '../../i18n/index.js';
import { DataTable } from '../../ui/data-table.js';
import { SelectField, TextField } from '../../ui/fields.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Panel } from '../../ui/layout.js';
import type { Column } from '../../ui/table.js';
import { Id, Money, Status } from '../../ui/values.js';

type Account = Item<'/audit/partners/{uid}/accounts'>;

const TYPES = ['PaymentAccount', 'CheckingsAccount', 'SavingsAccount', 'SalaryAccount'] as const;
const CLASSES = ['Standard', 'Legacy'] as const;

export function PartnerAccounts({ partner: { uid, name, taxNumber } }: { readonly partner: Partner }) {
  const { mayChange } = useSession();
  const accounts = usePages(
    ['partner-accounts', uid],
    (cursor) =>
      answer(api.GET('/audit/partners/{uid}/accounts', { params: { path: { uid }, query: { limit: 100, cursor } } })),
    { live: 5_000 },
  );
  return (
    <Panel
      title={t('Accounts')}
      flush
      actions={mayChange && <NewAccount uid={uid} name={name} taxNumber={taxNumber} />}
    >
      <DataTable
        label={t('Accounts')}
        pages={accounts}
        columns={columns()}
        rowKey={(account) => account.uid}
        empty={t('This partner has no account yet.')}
      />
    </Panel>
  );
}

function columns(): Column<Account>[] {
  return [
    { name: t('Name'), cell: ({ uid, name }) => <Link to={`/accounts/${uid}`}>{name || t('(erased)')}</Link> },
    { name: t('Branch / account'), wide: true, cell: (one) => formatBankAccount(one.branch, one.number, one.digit) },
    { name: t('Type'), wide: true, cell: ({ type }) => word(type) },
    { name: t('Class'), wide: true, cell: (one) => word(one.class) },
    { name: t('Status'), cell: ({ status }) => <Status value={status} /> },
    { name: t('Available'), number: true, cell: ({ balance }) => <Money value={balance.available} /> },
    { name: t('Held'), number: true, wide: true, cell: ({ balance }) => <Money value={balance.held} /> },
    { name: t('Id'), wide: true, cell: ({ uid }) => <Id value={uid} short /> },
  ];
}

interface NewAccountProps {
  readonly uid: string;
  readonly name: string;
  readonly taxNumber: string;
}

function NewAccount({ uid, name, taxNumber }: NewAccountProps) {
  return (
    <FormDialog
      trigger={t('New account')}
      triggerClass="primary small"
      title={t('New account')}
      submit={t('Open')}
      done={t('The account is open.')}
      onSubmit={(values) =>
        answer(
          api.POST('/admin/partners/{uid}/accounts', {
            params: { path: { uid } },
            body: {
              name: values['name'] ?? '',
              taxNumber: plainTaxNumber(values['taxNumber'] ?? ''),
              type: values['type'] as (typeof TYPES)[number],
              class: values['class'] as (typeof CLASSES)[number],
            },
          }),
        )
      }
    >
      <TextField name="name" label={t('Name of the holder')} required maxLength={140} defaultValue={name} />
      <TextField
        name="taxNumber"
        label={t('CPF or CNPJ of the holder')}
        required
        defaultValue={formatTaxNumber(taxNumber)}
      />
      <div className="form-grid">
        <SelectField name="type" label={t('Type')} options={TYPES.map((type) => [type, word(type)])} />
        <SelectField
          name="class"
          label={t('Class')}
          options={CLASSES.map((one) => [one, word(one)])}
          hint={t('Legacy: internal transfers are being phased out.')}
        />
      </div>
    </FormDialog>
  );
}
