import { useNavigate } from 'react-router';
import { t, word } from '../../i18n/index.js';
import { MoneyField, SelectField, TextField } from '../../ui/fields.js';
import { valuesOf } from '../../ui/request-form.js';
import { type Filters, readFilters, STATES, TYPES } from './filters.js';

/** On a phone the list comes first. */
const NARROW = matchMedia('(max-width: 640px)');

interface Props {
  readonly filters: Filters;
  readonly onApply: (filters: Filters) => void;
}

export function FilterForm({ filters, onApply }: Props) {
  const navigate = useNavigate();
  const rare = filters.id ?? filters.endToEndId ?? filters.txid ?? filters.partner ?? filters.account;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(readFilters(new URLSearchParams(valuesOf(event.currentTarget))));
      }}
    >
      <details open={!NARROW.matches || Object.keys(filters).length > 0}>
        <summary>{t('Filters')}</summary>
        <div className="filters">
          <TextField name="orderId" label={t('Order')} defaultValue={filters.orderId} />
          <TextField name="taxNumber" label={t('CPF or CNPJ')} defaultValue={filters.taxNumber} />
          <MoneyField name="amount" label={t('Amount')} defaultValue={filters.amount} />
          <SelectField
            name="type"
            label={t('Kind')}
            defaultValue={filters.type ?? ''}
            options={[['', t('any')], ...TYPES.map((type) => [type, word(type)] as const)]}
          />
          <SelectField
            name="state"
            label={t('State')}
            defaultValue={filters.state ?? ''}
            options={[['', t('any')], ...STATES.map((state) => [state, word(state)] as const)]}
          />
          <TextField name="from" type="date" label={t('From')} defaultValue={filters.from} />
          <TextField name="to" type="date" label={t('To')} defaultValue={filters.to} />
        </div>
      </details>
      <details open={rare !== undefined}>
        <summary>{t('By identifier')}</summary>
        <div className="form-grid">
          <TextField name="id" label={t('Transaction id')} defaultValue={filters.id} />
          <TextField name="endToEndId" label="EndToEndId" defaultValue={filters.endToEndId} />
          <TextField name="txid" label="txid" defaultValue={filters.txid} />
          <TextField name="account" label={t('Account (uid)')} defaultValue={filters.account} />
          <TextField name="partner" label={t('Partner (uid)')} defaultValue={filters.partner} />
        </div>
      </details>
      <div className="row">
        <button type="submit" className="button primary">
          {t('Search')}
        </button>
        {Object.keys(filters).length > 0 && (
          <button type="button" className="button" onClick={() => void navigate('/transactions')}>
            {t('Clear')}
          </button>
        )}
      </div>
    </form>
  );
}
