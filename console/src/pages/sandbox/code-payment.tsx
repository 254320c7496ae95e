import { useMutation } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { parseMoney } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { errorText } from '../../i18n/service-words.js';
import { MoneyField, TextField } from '../../ui/fields.js';
import { Fact, Facts, Panel } from '../../ui/layout.js';
import { RequestForm, type Values } from '../../ui/request-form.js';
import { Moment, Money } from '../../ui/values.js';
import type { PartnerSession } from './partner-session.js';
import { Watch } from './watch.js';
import { WebhookField, webhookOf } from './webhook-field.js';

/** Decodes a Pix code and pays it. */
export function CodePayment({ actor }: { readonly actor: PartnerSession }) {
  const headers = { authorization: actor.authorization };
  const read = useMutation({
    mutationFn: async ({ qrCode = '' }: Values) => ({
      qrCode,
      says: await answer(api.POST('/partners-int/accounts/pix/qrcode/decode', { headers, body: { qrCode } })),
    }),
  });
  return (
    <Panel title={t('4. A code')}>
      <RequestForm
        request={read}
        actions={
          <div>
            <button type="submit" className="button" disabled={read.isPending}>
              {t('Read the code')}
            </button>
          </div>
        }
      >
        <TextField name="qrCode" label={t('Copy-and-paste code')} required maxLength={600} />
      </RequestForm>
      {read.data && <ReadCode key={read.submittedAt} headers={headers} {...read.data} />}
    </Panel>
  );
}

interface ReadCodeProps {
  readonly headers: { readonly authorization: string };
  readonly qrCode: string;
  readonly says: components['schemas']['DecodedCodeView'];
}

function ReadCode({ headers, qrCode, says }: ReadCodeProps) {
  const { canBePaid, refusal, receiver, amount, payerMayChangeAmount, expiresAt } = says;
  const pay = useMutation({
    mutationFn: (values: Values) => {
      const value = values['payment.value'];
      return answer(
        api.POST('/partners-int/accounts/pix/cashout', {
          headers,
          body: {
            payment: { qrCode, ...(value && { value: parseMoney(value) ?? value }) },
            transaction: { orderId: values['transaction.orderId'] ?? '' },
            webhook: webhookOf(values),
          },
        }),
      );
    },
  });
  return (
    <>
      <Facts>
        <Fact name={t('Receiver')}>{receiver.name}</Fact>
        {receiver.key && <Fact name={t('Pix key')}>{receiver.key}</Fact>}
        {amount && (
          <Fact name={t('Amount')}>
            <Money value={amount} />
          </Fact>
        )}
        {expiresAt && (
          <Fact name={t('Expires')}>
            <Moment value={expiresAt} />
          </Fact>
        )}
      </Facts>
      {refusal && (
        <div className="notice" role="status">
          {errorText('OperationError', refusal.reason) ?? refusal.message}
        </div>
      )}
      {canBePaid && (
        <RequestForm
          request={pay}
          actions={
            <div>
              <button type="submit" className="button primary" disabled={pay.isPending}>
                {t('Pay the code')}
              </button>
            </div>
          }
        >
          <div className="form-grid">
            {payerMayChangeAmount && (
              <MoneyField name="payment.value" label={t('Amount in reais')} required={amount === null} />
            )}
            <TextField
              name="transaction.orderId"
              label={t('Order')}
              defaultValue="sandbox-code-1"
              required
              maxLength={64}
            />
          </div>
          <WebhookField />
        </RequestForm>
      )}
      {pay.data && <Watch id={pay.data.transaction.id} />}
    </>
  );
}
