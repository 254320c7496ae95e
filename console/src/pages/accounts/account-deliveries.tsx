import { useState } from 'react';
import { answer, api, type Item } from '../../api/client.js';
import { usePages } from '../../api/pages.js';
import { t, word } from '../../i18n/index.js';
import { DataTable } from '../../ui/data-table.js';
import { Choice } from '../../ui/fields.js';
import { Panel } from '../../ui/layout.js';
import type { Column } from '../../ui/table.js';
import { Moment, Status } from '../../ui/values.js';
import { DeliverySubject } from '../deliveries/delivery-subject.js';
import { Redeliver } from '../deliveries/redeliver.js';

type Delivery = Item<'/admin/accounts/{uid}/webhooks/deliveries'>;

const STATUSES = ['Pending', 'Retrying', 'Delivered', 'Stopped', 'Exhausted'] as const;

export function AccountDeliveries({ uid }: { readonly uid: string }) {
  const [status, setStatus] = useState<(typeof STATUSES)[number] | ''>('');
  const deliveries = usePages(
    ['account-deliveries', uid, status],
    (cursor) =>
      answer(
        api.GET('/admin/accounts/{uid}/webhooks/deliveries', {
          params: { path: { uid }, query: { limit: 100, cursor, status: status || undefined } },
        }),
      ),
    { live: 3_000 },
  );
  return (
    <Panel
      title={t('Deliveries')}
      flush
      actions={
        <Choice
          label={t('Status')}
          value={status}
          options={[['', t('Any status')], ...STATUSES.map((one) => [one, word(one)] as const)]}
          onChange={setStatus}
        />
      }
    >
      <DataTable
        label={t('Deliveries')}
        pages={deliveries}
        columns={columns()}
        rowKey={({ id }) => id}
        empty={t('No delivery.')}
      />
    </Panel>
  );
}

function columns(): Column<Delivery>[] {
  return [
    { name: t('Status'), cell: ({ status }) => <Status value={status} /> },
    { name: t('About'), cell: (delivery) => <DeliverySubject {...delivery} /> },
    { name: t('Address'), wide: true, cell: ({ url }) => <span className="break">{url}</span> },
    { name: t('Attempts'), number: true, cell: ({ attempts }) => attempts.length },
    { name: t('Last attempt'), wide: true, cell: ({ attempts }) => <Moment value={attempts.at(-1)?.startedAt} /> },
    { name: t('Next attempt'), wide: true, cell: ({ nextAttemptAt }) => <Moment value={nextAttemptAt} /> },
    { name: t('Redelivery'), cell: ({ id }) => <Redeliver id={id} /> },
  ];
}
