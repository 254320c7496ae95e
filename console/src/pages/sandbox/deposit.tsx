import { Form } from '@base-ui/react/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { parseMoney } from '../../format/money.js';
import { formatTaxNumber, plainTaxNumber } from '../../format/tax-number.js';
import { t } from '../../i18n/index.js';
import { CopyButton } from '../../ui/copy-button.js';
import { MoneyField, TextField } from '../../ui/fields.js';
import { valuesOf, type Values } from '../../ui/form-dialog.js';
import { Panel } from '../../ui/layout.js';
import { Failure } from '../../ui/states.js';
import { Status } from '../../ui/values.js';
import type { PartnerSession } from './partner-session.js';
import { QrCode } from './qr-code.js';
import { Watch } from './watch.js';
import { rememberedWebhook, rememberWebhook } from './webhook-address.js';

/** A person to pay with: check digits are right, nobody has them. */
const PAYER = {
  name: 'Maria Pagadora',
  taxNumber: '52998224725',
  ispb: '99999004',
  branch: '0001',
  number: '123456',
  digit: '7',
};

/** Asks for a deposit, shows its code, pays it as the payer's bank would, and watches. */
export function Deposit({ actor }: { readonly actor: PartnerSession }) {
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (values: Values) => {
      rememberWebhook(values['webhook.url'] ?? '');
      return answer(
        api.POST('/partners-int/accounts/pix/cashin', {
          headers: { authorization: actor.authorization },
          body: {
            payment: { value: { original: parseMoney(values['payment.value.original'] ?? '') ?? '' } },
            transaction: {
              orderId: values['transaction.orderId'] ?? '',
              orderDescription: values['transaction.orderDescription'],
            },
            webhook: { url: values['webhook.url'] ?? '' },
          },
        }),
      );
    },
  });
  const pay = useMutation({
    mutationFn: ({ amount, name, taxNumber }: Values) =>
      answer(
        api.POST('/sandbox/pix/payments', {
          body: {
            qrCode: create.data?.payment.qrCode ?? '',
            payer: { ...PAYER, name: name ?? '', taxNumber: plainTaxNumber(taxNumber ?? '') },
            ...(amount && { amount: parseMoney(amount) ?? amount }),
          },
        }),
      ),
    onSuccess: () => client.invalidateQueries(),
  });
  const id = create.data?.transaction.id;
  return (
    <Panel title={t('2. A deposit')}>
      <Form
        className="form"
        errors={create.error instanceof ApiError ? create.error.fields : {}}
        onSubmit={(event) => {
          event.preventDefault();
          pay.reset();
          create.mutate(valuesOf(event.currentTarget));
        }}
      >
        <div className="form-grid">
          <MoneyField name="payment.value.original" label={t('Amount in reais')} defaultValue="10,00" required />
          <TextField name="transaction.orderId" label={t('Order')} defaultValue="sandbox-1" required maxLength={64} />
        </div>
        <TextField name="transaction.orderDescription" label={t('Description')} maxLength={140} />
        <TextField
          name="webhook.url"
          type="url"
          label={t('Webhook address')}
          defaultValue={rememberedWebhook()}
          required
        />
        {create.error && <Failure error={create.error} />}
        <div>
          <button type="submit" className="button primary" disabled={create.isPending}>
            {t('Create the deposit')}
          </button>
        </div>
      </Form>
      {id !== undefined && (
        <>
          <QrCode id={id} />
          <div className="secret">
            <div className="row spread">
              <strong>{t('Copy-and-paste code')}</strong>
              <CopyButton text={create.data?.payment.qrCode ?? ''} label={t('Copy-and-paste code')} wide />
            </div>
            <code>{create.data?.payment.qrCode}</code>
          </div>
          <form
            className="form"
            onSubmit={(event) => {
              event.preventDefault();
              pay.mutate(valuesOf(event.currentTarget));
            }}
          >
            <h3>{t("Pay it as the payer's bank")}</h3>
            <div className="form-grid">
              <TextField name="name" label={t("Payer's name")} defaultValue={PAYER.name} required />
              <TextField
                name="taxNumber"
                label={t("Payer's CPF or CNPJ")}
                defaultValue={formatTaxNumber(PAYER.taxNumber)}
                required
              />
              <MoneyField name="amount" label={t('Another amount')} hint={t('Empty: what the code asks for.')} />
            </div>
            {pay.error && <Failure error={pay.error} />}
            <div className="row">
              <button type="submit" className="button primary" disabled={pay.isPending}>
                {t('Pay')}
              </button>
              {pay.data && (
                <span role="status">
                  <Status value={pay.data.outcome} />
                </span>
              )}
            </div>
          </form>
          <Watch id={id} />
        </>
      )}
    </Panel>
  );
}
