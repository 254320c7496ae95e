import { answer, api } from '../../api/client.js';
import { momentOf } from '../../format/date.js';
import { formatMoney, parseMoney } from '../../format/money.js';
import { t, word } from '../../i18n/index.js';
import { MoneyField, SelectField, TextField } from '../../ui/fields.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { FreshKey } from '../../ui/fresh-key.js';
import type { Values } from '../../ui/request-form.js';

const CAUSES = ['Judicial', 'Med', 'Cautionary', 'Guarantee'] as const;
const KINDS = ['JudicialTransfer', 'MedReturn', 'GuaranteePayment'] as const;

interface OfHold {
  readonly uid: string;
  readonly id: string;
  readonly reference: string;
}

export function PlaceHold({ uid }: { readonly uid: string }) {
  return (
    <FormDialog
      trigger={t('Place a hold')}
      triggerClass="small danger"
      title={t('Place a hold')}
      text={t('It takes what is available, up to the amount. With a date, later credits fill it until then.')}
      submit={t('Place')}
      danger
      done={t('The hold is placed.')}
      onSubmit={({ reference = '', retryUntil, note, ...values }) =>
        answer(
          api.POST('/admin/accounts/{uid}/holds', {
            params: { path: { uid }, header: keyOf(values) },
            body: {
              amount: amountOf(values),
              cause: values['cause'] as (typeof CAUSES)[number],
              reference,
              ...(retryUntil && { retryUntil: momentOf(retryUntil) }),
              ...(note && { note }),
            },
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
      <SelectField name="cause" label={t('Cause')} options={CAUSES.map((one) => [one, word(one)])} />
      <TextField
        name="reference"
        label={t('Reference')}
        hint={t('Of the order. The partner sees it: no names.')}
        required
        maxLength={64}
      />
      <TextField
        name="retryUntil"
        type="datetime-local"
        label={t('Waits until')}
        hint={t('Empty: it does not wait.')}
      />
      <TextField
        name="note"
        label={t('Note')}
        hint={t('Stored in the event log; the partner does not see it.')}
        maxLength={140}
      />
    </FormDialog>
  );
}

export function ReleaseHold({ uid, id, reference }: OfHold) {
  return (
    <FormDialog
      trigger={t('Release')}
      triggerClass="small"
      title={t('Release the hold')}
      about={reference}
      text={t('The money is available again. Without an amount all of it, and the hold ends.')}
      submit={t('Release')}
      done={t('The hold is released.')}
      onSubmit={(values) =>
        answer(
          api.POST('/admin/accounts/{uid}/holds/{id}/release', {
            params: { path: { uid, id }, header: keyOf(values) },
            body: values['amount'] ? { amount: amountOf(values) } : {},
          }),
        )
      }
    >
      <FreshKey />
      <MoneyField name="amount" label={t('Amount in reais')} hint={t('Empty: all of it.')} />
    </FormDialog>
  );
}

export function ExecuteHold({ uid, id, reference }: OfHold) {
  return (
    <FormDialog
      trigger={t('Execute')}
      triggerClass="small danger"
      title={t('Execute the hold')}
      about={reference}
      text={t('The money leaves the account for good. The payment itself is made outside of this service.')}
      submit={t('Execute')}
      danger
      done={t('The hold is executed.')}
      onSubmit={(values) =>
        answer(
          api.POST('/admin/accounts/{uid}/holds/{id}/execute', {
            params: { path: { uid, id }, header: keyOf(values) },
            body: {
              amount: amountOf(values),
              destination: {
                kind: values['destination.kind'] as (typeof KINDS)[number],
                reference: values['destination.reference'] ?? '',
              },
            },
          }),
        )
      }
    >
      <FreshKey />
      <MoneyField name="amount" label={t('Amount in reais')} required />
      <SelectField name="destination.kind" label={t('Payment')} options={KINDS.map((one) => [one, word(one)])} />
      <TextField
        name="destination.reference"
        label={t('Reference')}
        hint={t('Of the payment outside of this service.')}
        required
        maxLength={64}
      />
    </FormDialog>
  );
}

const keyOf = ({ key = '' }: Values) => ({ 'Idempotency-Key': key });

/** Text that is no amount is sent as typed: the service's fault is shown beside its field. */
const amountOf = ({ amount = '' }: Values) => parseMoney(amount) ?? amount;
