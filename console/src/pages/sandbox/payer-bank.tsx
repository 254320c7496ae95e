import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import { parseMoney } from '../../format/money.js';
import { formatTaxNumber, plainTaxNumber } from '../../format/tax-number.js';
import { t } from '../../i18n/index.js';
import { MoneyField, TextField } from '../../ui/fields.js';
import { RequestForm, type Values } from '../../ui/request-form.js';
import { Status } from '../../ui/values.js';

/** A sample payer: the check digits are right. */
const PAYER = {
  name: 'Maria Pagadora',
  taxNumber: '52998224725',
  ispb: '99999004',
  branch: '0001',
  number: '123456',
  digit: '7',
};

/** Pays a code as the payer's bank would. */
export function PayerBank({ qrCode }: { readonly qrCode: string }) {
  const client = useQueryClient();
  const pay = useMutation({
    mutationFn: ({ amount, name, taxNumber }: Values) =>
      answer(
        api.POST('/sandbox/pix/payments', {
          body: {
            qrCode,
            payer: { ...PAYER, name: name ?? '', taxNumber: plainTaxNumber(taxNumber ?? '') },
            ...(amount && { amount: parseMoney(amount) ?? amount }),
          },
        }),
      ),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <RequestForm
      request={pay}
      actions={
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
      }
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
    </RequestForm>
  );
}
