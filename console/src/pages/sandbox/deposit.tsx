import { useMutation } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import { parseMoney } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { CopyButton } from '../../ui/copy-button.js';
import { MoneyField, TextField } from '../../ui/fields.js';
import { Panel } from '../../ui/layout.js';
import { RequestForm, type Values } from '../../ui/request-form.js';
import type { PartnerSession } from './partner-session.js';
import { PayerBank } from './payer-bank.js';
import { QrCode } from './qr-code.js';
import { Watch } from './watch.js';
import { WebhookField, webhookOf } from './webhook-field.js';

/** Creates a deposit, shows its code, pays it as the payer's bank would, and follows its state. */
export function Deposit({ actor }: { readonly actor: PartnerSession }) {
  const create = useMutation({
    mutationFn: (values: Values) =>
      answer(
        api.POST('/partners-int/accounts/pix/cashin', {
          headers: { authorization: actor.authorization },
          body: {
            payment: { value: { original: parseMoney(values['payment.value.original'] ?? '') ?? '' } },
            transaction: {
              orderId: values['transaction.orderId'] ?? '',
              orderDescription: values['transaction.orderDescription'],
            },
            webhook: webhookOf(values),
          },
        }),
      ),
  });
  return (
    <Panel title={t('2. A deposit')}>
      <RequestForm
        request={create}
        actions={
          <div>
            <button type="submit" className="button primary" disabled={create.isPending}>
              {t('Create the deposit')}
            </button>
          </div>
        }
      >
        <div className="form-grid">
          <MoneyField name="payment.value.original" label={t('Amount in reais')} defaultValue="10,00" required />
          <TextField name="transaction.orderId" label={t('Order')} defaultValue="sandbox-1" required maxLength={64} />
        </div>
        <TextField name="transaction.orderDescription" label={t('Description')} maxLength={140} />
        <WebhookField />
      </RequestForm>
      {create.data && (
        <CreatedDeposit
          key={create.data.transaction.id}
          id={create.data.transaction.id}
          qrCode={create.data.payment.qrCode}
        />
      )}
    </Panel>
  );
}

interface CreatedProps {
  readonly id: string;
  readonly qrCode: string;
}

/** The deposit's QR code, its payment as the payer's bank, and its state. */
function CreatedDeposit({ id, qrCode }: CreatedProps) {
  return (
    <>
      <QrCode id={id} />
      <div className="secret">
        <div className="row spread">
          <strong>{t('Copy-and-paste code')}</strong>
          <CopyButton text={qrCode} label={t('Copy-and-paste code')} wide />
        </div>
        <code>{qrCode}</code>
      </div>
      <PayerBank qrCode={qrCode} />
      <Watch id={id} />
    </>
  );
}
