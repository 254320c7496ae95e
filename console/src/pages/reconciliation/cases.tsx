import { useState } from 'react';
import { Link } from 'react-router';
import { answer, api, type Item } from '../../api/client.js';
import { usePages } from '../../api/pages.js';
import { type Phrase, t } from '../../i18n/index.js';
import { DataTable } from '../../ui/data-table.js';
import { Choice, TextField } from '../../ui/fields.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Panel } from '../../ui/layout.js';
import type { Column } from '../../ui/table.js';
import { Id, Moment, Money } from '../../ui/values.js';
import { MOVEMENTS } from './movements.js';

type Case = Item<'/admin/reconciliation/cases'>;

const KINDS = { ...MOVEMENTS, Balance: 'Balance at the rail' } as const satisfies Record<Case['kind'], Phrase>;

/** Differences found by the nightly reconciliation, and their resolutions. */
export function Cases() {
  const [status, setStatus] = useState<Case['status']>('Open');
  const cases = usePages(['reconciliation-cases', status], (cursor) =>
    answer(api.GET('/admin/reconciliation/cases', { params: { query: { status, limit: 100, cursor } } })),
  );
  return (
    <Panel
      title={t('Cases')}
      flush
      actions={
        <Choice
          label={t('Cases')}
          value={status}
          options={[
            ['Open', t('open')],
            ['Closed', t('closed')],
          ]}
          onChange={setStatus}
        />
      }
    >
      <DataTable label={t('Cases')} pages={cases} columns={columns()} rowKey={({ id }) => id} empty={t('No cases.')} />
    </Panel>
  );
}

function columns(): Column<Case>[] {
  return [
    { name: t('Day'), cell: ({ day }) => day },
    { name: t('Movement'), cell: movementOf },
    { name: t('Reference'), wide: true, cell: ({ reference }) => <Id value={reference} short /> },
    {
      name: t('Transaction'),
      wide: true,
      cell: ({ transactionId }) => transactionId && <Link to={`/transactions/${transactionId}`}>{t('Open')}</Link>,
    },
    { name: t('At the rail'), number: true, cell: ({ rail }) => rail && <Money value={rail} /> },
    { name: t('In the ledger'), number: true, cell: ({ ledger }) => ledger && <Money value={ledger} /> },
    { name: t('Resolution'), cell: (one) => (one.status === 'Open' ? <Close {...one} /> : <Closed {...one} />) },
  ];
}

function movementOf({ kind }: Pick<Case, 'kind'>): string {
  return Object.hasOwn(KINDS, kind) ? t(KINDS[kind]) : kind;
}

function Closed({ note, closedBy, closedAt }: Pick<Case, 'note' | 'closedBy' | 'closedAt'>) {
  return (
    <>
      <span className="break">{note}</span> <span className="muted">{closedBy}</span>{' '}
      {closedAt && <Moment value={closedAt} />}
    </>
  );
}

function Close({ id, day, kind }: Pick<Case, 'id' | 'day' | 'kind'>) {
  return (
    <FormDialog
      trigger={t('Close the case')}
      triggerClass="small"
      title={t('Close the case')}
      about={`${day}, ${movementOf({ kind })}`}
      text={t('It moves no money. The note says why rail and ledger differed.')}
      submit={t('Close the case')}
      done={t('The case is closed.')}
      onSubmit={({ note = '' }) =>
        answer(api.POST('/admin/reconciliation/cases/{id}/close', { params: { path: { id } }, body: { note } }))
      }
    >
      <TextField
        name="note"
        label={t('Cause of the difference')}
        hint={t('No personal data: it stays in the event log.')}
        required
        maxLength={280}
      />
    </FormDialog>
  );
}
