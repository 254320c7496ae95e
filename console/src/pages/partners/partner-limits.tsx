import { useState } from 'react';
import { answer, api, textOf } from '../../api/client.js';
import type { Partner } from '../../api/views.js';
import { useSession } from '../../app/session.js';
import { formatDate, lastDayBefore, startOfDay } from '../../format/date.js';
import { formatMoney, parseMoney } from '../../format/money.js';
import { type Phrase, t } from '../../i18n/index.js';
import { MoneyField, SelectField, TextField } from '../../ui/fields.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Fact, Facts, Panel } from '../../ui/layout.js';
import type { Values } from '../../ui/request-form.js';

const AMOUNTS = {
  transferMinimum: 'Transfer minimum',
  transferMaximum: 'Transfer maximum',
  cashInMinimum: 'Deposit minimum',
  cashInMaximum: 'Deposit maximum',
  cashOutMinimum: 'Payout minimum',
  cashOutMaximum: 'Payout maximum',
  cashOutNightMaximum: 'Payout maximum at night',
  cashInCharge: 'Deposit charge',
  cashOutCharge: 'Payout charge',
} as const satisfies Record<string, Phrase>;

type Amount = keyof typeof AMOUNTS;

const names = Object.keys(AMOUNTS) as Amount[];

export function PartnerLimits({ partner }: { readonly partner: Partner }) {
  const { mayChange } = useSession();
  const { settings } = partner;
  const sunset = textOf(settings.sunsetDate);
  return (
    <Panel title={t('Limits and charges')} actions={mayChange && <ChangeLimits partner={partner} />}>
      <Facts>
        {names.map((name) => (
          <Fact key={name} name={t(AMOUNTS[name])}>
            <Limit amount={textOf(settings[name])} />
          </Fact>
        ))}
        <Fact name={t('Legacy transfers end on')}>
          {sunset ? formatDate(startOfDay(lastDayBefore(sunset))) : <span className="muted">{t('not set')}</span>}
        </Fact>
        <Fact name={t('Order ids')}>{settings.uniqueOrderIds ? t('must be unique') : t('may repeat')}</Fact>
        <Fact name={t('Key with an account')}>
          {settings.accountDecides ? t('the account decides') : t('only where both can be compared')}
        </Fact>
      </Facts>
    </Panel>
  );
}

function Limit({ amount }: { readonly amount: string | null }) {
  return amount === null ? <span className="muted">{t('no limit')}</span> : formatMoney(amount);
}

function ChangeLimits({ partner: { uid, settings } }: { readonly partner: Partner }) {
  // The page reads the settings anew while the form is open: changes are told from what the form showed at first.
  const [opened, setOpened] = useState(settings);
  const known = typedOf(opened);
  return (
    <FormDialog
      trigger={t('Change')}
      onOpen={() => setOpened(settings)}
      triggerClass="small"
      title={t('Limits and charges')}
      text={t('An empty field removes the limit, or restores its default.')}
      submit={t('Save')}
      done={t('The limits are changed.')}
      onSubmit={(values) =>
        answer(
          api.PATCH('/admin/partners/{uid}/settings', { params: { path: { uid } }, body: changesOf(values, known) }),
        )
      }
    >
      <div className="form-grid">
        {names.map((name) => (
          <MoneyField key={name} name={name} label={t(AMOUNTS[name])} defaultValue={known[name]} />
        ))}
        <TextField
          name="sunsetDate"
          type="date"
          label={t('Legacy transfers end on')}
          defaultValue={known['sunsetDate']}
        />
        <SelectField
          name="uniqueOrderIds"
          label={t('Order ids')}
          defaultValue={known['uniqueOrderIds']}
          options={[
            ['false', t('may repeat')],
            ['true', t('must be unique')],
          ]}
        />
        <SelectField
          name="accountDecides"
          label={t('Key with an account')}
          defaultValue={known['accountDecides']}
          options={[
            ['false', t('only where both can be compared')],
            ['true', t('the account decides')],
          ]}
        />
      </div>
    </FormDialog>
  );
}

/** The present settings as one would type them. */
function typedOf(settings: Partner['settings']): Values {
  const sunset = textOf(settings.sunsetDate);
  return {
    ...Object.fromEntries(names.map((name) => [name, textOf(settings[name])?.replace('.', ',') ?? ''])),
    sunsetDate: sunset ? lastDayBefore(sunset) : '',
    uniqueOrderIds: String(settings.uniqueOrderIds),
    accountDecides: String(settings.accountDecides),
  };
}

/**
 * Only what was changed: another operator may have changed the rest since. Text that is no amount is sent as typed: the
 * service's fault is shown beside its field.
 */
function changesOf(values: Values, known: Values): Partial<Record<string, never>> {
  const changed = Object.entries(values).filter(([name, typed]) => typed !== known[name]);
  const valueOf = (name: string, typed: string) => {
    if (name === 'uniqueOrderIds' || name === 'accountDecides') return typed === 'true';
    if (typed === '') return null;
    return name in AMOUNTS ? (parseMoney(typed) ?? typed) : typed;
  };
  return Object.fromEntries(changed.map(([name, typed]) => [name, valueOf(name, typed) as never]));
}
