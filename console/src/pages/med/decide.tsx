import { answer, api } from '../../api/client.js';
import { parseMoney } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { MoneyField, SelectField, TextField } from '../../ui/fields.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { FreshKey } from '../../ui/fresh-key.js';

/** The decision about a report. None is chosen beforehand: the service asks for it. */
export function Decide({ id }: { readonly id: string }) {
  return (
    <FormDialog
      trigger={t('Decide')}
      triggerClass="primary"
      title={t('Decide the case')}
      text={t(
        'Agreed: what is blocked goes back to the payer, and later credits too. Rejected: it is available again.',
      )}
      submit={t('Decide')}
      danger
      done={t('The case is decided.')}
      onSubmit={({ decision, amount, note, key = '' }) =>
        answer(
          api.POST('/admin/med/{id}/decision', {
            params: { path: { id }, header: { 'Idempotency-Key': key } },
            body: {
              decision: decision as 'Agreed' | 'Rejected',
              ...(amount && { amount: parseMoney(amount) ?? amount }),
              ...(note && { note }),
            },
          }),
        )
      }
    >
      <FreshKey />
      <SelectField
        name="decision"
        label={t('Decision')}
        options={[
          ['', '–'],
          ['Agreed', t('Agreed')],
          ['Rejected', t('Rejected')],
        ]}
      />
      <MoneyField name="amount" label={t('Amount in reais')} hint={t('When agreed. Empty: all that is asked.')} />
      <TextField
        name="note"
        label={t('Note')}
        hint={t('For the history; the partner does not see it.')}
        maxLength={500}
      />
    </FormDialog>
  );
}
