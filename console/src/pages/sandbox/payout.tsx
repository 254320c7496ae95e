import { useMutation } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import { parseMoney } from '../../format/money.js';
import { formatTaxNumber, plainTaxNumber } from '../../format/tax-number.js';
import { type Phrase, t } from '../../i18n/index.js';
import { MoneyField, SelectField, TextField } from '../../ui/fields.js';
import { Panel } from '../../ui/layout.js';
import { RequestForm, type Values } from '../../ui/request-form.js';
import type { PartnerSession } from './partner-session.js';
import { scripted } from './scripted-amount.js';
import { Watch } from './watch.js';
import { WebhookField, webhookOf } from './webhook-field.js';

const OUTCOMES = [
  ['00', 'It is completed'],
  ['97', 'It fails (the account is closed)'],
  ['98', 'It stays open until it is forced'],
  ['99', 'The receiving bank returns it'],
  ['96', 'It is completed, and half comes back'],
] as const satisfies readonly (readonly [centavos: string, outcome: Phrase])[];

/** Sends a Pix payment; the centavos of its amount tell the sandbox's rail how to end it. */
export function Payout({ actor }: { readonly actor: PartnerSession }) {
  const create = useMutation({
    mutationFn: (values: Values) => {
      const amount = parseMoney(values['payment.value'] ?? '') ?? '';
      return answer(
        api.POST('/partners-int/accounts/pix/cashout', {
          headers: { authorization: actor.authorization },
          body: {
            payment: {
              value: scripted(amount, values['end'] ?? '00'),
              key: { type: 'EMAIL', value: values['payment.key.value'] ?? '' },
              recipient: {
                name: values['payment.recipient.name'],
                cpf: plainTaxNumber(values['payment.recipient.cpf'] ?? ''),
              },
            },
            transaction: { orderId: values['transaction.orderId'] ?? '' },
            webhook: webhookOf(values),
          },
        }),
      );
    },
  });
  return (
    <Panel title={t('3. A payout')}>
      <RequestForm
        request={create}
        actions={
          <div>
            <button type="submit" className="button primary" disabled={create.isPending}>
              {t('Send the payout')}
            </button>
          </div>
        }
      >
        <div className="form-grid">
          <MoneyField
            name="payment.value"
            label={t('Amount in reais')}
            defaultValue="5,00"
            hint={t('Its centavos are set by the script.')}
            required
          />
          <SelectField
            name="end"
            label={t('Script')}
            options={OUTCOMES.map(([centavos, outcome]) => [centavos, t(outcome)])}
          />
          <TextField
            name="transaction.orderId"
            label={t('Order')}
            defaultValue="sandbox-payout-1"
            required
            maxLength={64}
          />
          <TextField name="payment.key.value" label={t('Pix key (e-mail)')} defaultValue="maria@example.com" required />
          <TextField name="payment.recipient.name" label={t("Recipient's name")} defaultValue="Maria Recebedora" />
          <TextField
            name="payment.recipient.cpf"
            label={t("Recipient's CPF or CNPJ")}
            defaultValue={formatTaxNumber('52998224725')}
            required
          />
        </div>
        <WebhookField />
      </RequestForm>
      {create.data && <Watch id={create.data.transaction.id} />}
    </Panel>
  );
}
