import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { answer, api } from '../../api/client.js';
import { formatMoment, localOf, momentOf } from '../../format/date.js';
import { t } from '../../i18n/index.js';
import { TextField } from '../../ui/fields.js';
import { Fact, Facts, Panel } from '../../ui/layout.js';
import { valuesOf } from '../../ui/request-form.js';
import { Answered } from '../../ui/states.js';
import { Money } from '../../ui/values.js';

/** The balance at a moment in the past, from the events up to then. The moment is part of the URL. */
export function AsOf({ uid }: { readonly uid: string }) {
  const [search, setSearch] = useSearchParams();
  const at = search.get('at');
  const [opened] = useState(() => Date.now());
  const balance = useQuery({
    queryKey: ['balance-at', uid, at],
    queryFn: () => answer(api.GET('/audit/accounts/{uid}/balance', { params: { path: { uid }, query: { at: at! } } })),
    enabled: at !== null,
  });
  return (
    <Panel title={t('As of a date')}>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const { at: local } = valuesOf(event.currentTarget);
          if (local) setSearch({ at: momentOf(local) }, { preventScrollReset: true });
        }}
      >
        <TextField
          key={at}
          name="at"
          type="datetime-local"
          step={1}
          label={t("Date and time, Brasília's")}
          defaultValue={localOf(at ?? opened)}
          required
        />
        <button type="submit" className="button">
          {t('Show')}
        </button>
      </form>
      {at !== null && (
        <Answered query={balance} lines={2}>
          {({ available, held, blocked, entry, position }) => (
            <div className="notice" role="status">
              <strong>{t('At {}', formatMoment(at))}</strong>
              <Facts>
                <Fact name={t('Available')}>
                  <Money value={available} />
                </Fact>
                <Fact name={t('Held')}>
                  <Money value={held} />
                </Fact>
                {blocked !== '0.00' && (
                  <Fact name={t('Blocked by holds')}>
                    <Money value={blocked} />
                  </Fact>
                )}
                <Fact name={t('Last entry')}>{entry === 0 ? t('none yet') : entry}</Fact>
                <Fact name={t('Position in the log')}>{position ?? '–'}</Fact>
              </Facts>
            </div>
          )}
        </Answered>
      )}
    </Panel>
  );
}
