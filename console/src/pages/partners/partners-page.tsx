import { Link } from 'react-router';
import { answer, api, type Item } from '../../api/client.js';
import { usePages } from '../../api/pages.js';
import { useSession } from '../../app/session.js';
import { plainTaxNumber } from '../../format/tax-number.js';
import { t } from '../../i18n/index.js';
import { DataTable } from '../../ui/data-table.js';
import { TextField } from '../../ui/fields.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Page, Panel } from '../../ui/layout.js';
import { Secrets } from '../../ui/secret.js';
import type { Column } from '../../ui/table.js';
import { Id, Moment, TaxNumber } from '../../ui/values.js';

type Partner = Item<'/audit/partners'>;

export default function PartnersPage() {
  const { mayChange } = useSession();
  const partners = usePages(['partners'], (cursor) =>
    answer(api.GET('/audit/partners', { params: { query: { limit: 100, cursor } } })),
  );
  return (
    <Page title={t('Partners')} actions={mayChange && <NewPartner />}>
      <Panel title={t('All partners')} flush>
        <DataTable
          label={t('All partners')}
          pages={partners}
          columns={columns()}
          rowKey={({ uid }) => uid}
          empty={t('No partner is registered yet.')}
        />
      </Panel>
    </Page>
  );
}

function columns(): Column<Partner>[] {
  return [
    { name: t('Name'), cell: ({ uid, name }) => <Link to={`/partners/${uid}`}>{name || t('(erased)')}</Link> },
    { name: t('CPF or CNPJ'), cell: ({ taxNumber }) => <TaxNumber value={taxNumber} /> },
    { name: t('Partition'), number: true, wide: true, cell: ({ partition }) => partition },
    { name: t('Registered'), wide: true, cell: ({ registeredAt }) => <Moment value={registeredAt} /> },
    { name: t('Id'), wide: true, cell: ({ uid }) => <Id value={uid} short /> },
  ];
}

function NewPartner() {
  return (
    <FormDialog
      trigger={t('New partner')}
      triggerClass="primary"
      title={t('New partner')}
      submit={t('Create')}
      done={t('The partner is registered.')}
      onSubmit={({ name = '', taxNumber = '' }) =>
        answer(api.POST('/admin/partners', { body: { name, taxNumber: plainTaxNumber(taxNumber) } }))
      }
      result={({ uid, webhookSecret }) => (
        <>
          <Secrets secrets={[[t('Webhook secret'), webhookSecret]]} />
          <Link to={`/partners/${uid}`}>{t('Open the partner')}</Link>
        </>
      )}
    >
      <TextField name="name" label={t('Name')} required maxLength={140} />
      <TextField name="taxNumber" label={t('CPF or CNPJ')} required />
    </FormDialog>
  );
}
