import { answer, api } from '../../api/client.js';
import type { Account } from '../../api/views.js';
import { formatMoney, parseMoney } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { MoneyField, TextField } from '../../ui/fields.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { FreshKey } from '../../ui/fresh-key.js';

export function AccountActions({ account: { uid, status } }: { readonly account: Account }) {
  const params = { path: { uid } };
  const reason = (
    <TextField name="reason" label={t('Reason')} hint={t('Stored in the event log.')} required maxLength={140} />
  );
  return (
    <>
      {status === 'Active' ? (
        <FormDialog
          key="deactivate"
          trigger={t('Deactivate')}
          triggerClass="danger"
          title={t('Deactivate the account')}
          text={t(
            'It can neither send, nor receive, nor create deposits. Payments under way still settle or come back.',
          )}
          submit={t('Deactivate')}
          danger
          done={t('The account is inactive.')}
          onSubmit={(values) =>
            answer(api.POST('/admin/accounts/{uid}/deactivate', { params, body: { reason: values['reason'] ?? '' } }))
          }
        >
          {reason}
        </FormDialog>
      ) : (
        <FormDialog
          key="activate"
          trigger={t('Activate')}
          title={t('Activate the account')}
          submit={t('Activate')}
          done={t('The account is active.')}
          onSubmit={(values) =>
            answer(api.POST('/admin/accounts/{uid}/activate', { params, body: { reason: values['reason'] ?? '' } }))
          }
        >
          {reason}
        </FormDialog>
      )}
      <Fund uid={uid} />
    </>
  );
}

function Fund({ uid }: { readonly uid: string }) {
  return (
    <FormDialog
      trigger={t('Fund')}
      triggerClass="primary"
      title={t('Fund the account')}
      submit={t('Fund')}
      done={t('The account is funded.')}
      onSubmit={({ amount = '', reason = '', key = '' }) =>
        answer(
          api.POST('/admin/accounts/{uid}/credits', {
            params: { path: { uid }, header: { 'Idempotency-Key': key } },
            body: { amount: parseMoney(amount) ?? amount, reason },
          }),
        )
      }
    >
      <FreshKey />
      <MoneyField
        name="amount"
        label={t('Amount in reais')}
        hint={t('For example {}', formatMoney('1234.50'))}
        required
      />
      <TextField name="reason" label={t('Reason')} hint={t('Stored in the event log.')} required maxLength={140} />
    </FormDialog>
  );
}
