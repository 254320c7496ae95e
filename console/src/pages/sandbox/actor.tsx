import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { answer, api } from '../../api/client.js';
import { formatMoney } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { useOnce } from '../../ui/once.js';
import { Answered, Failure } from '../../ui/states.js';
import { Id } from '../../ui/values.js';
import { actFor, type PartnerSession } from './partner-session.js';

interface Props {
  readonly actor: PartnerSession | null;
  readonly onChange: (actor: PartnerSession | null) => void;
}

/** Chooses a partner and one of its accounts, among the first hundred of each. */
export function Actor({ actor, onChange }: Props) {
  const [search] = useSearchParams();
  const client = useQueryClient();
  const [chosenPartner, setPartner] = useState(search.get('partner') ?? '');
  const [chosenAccount, setAccount] = useState(search.get('account') ?? '');
  const partners = useQuery({
    queryKey: ['sandbox-partners'],
    queryFn: () => answer(api.GET('/audit/partners', { params: { query: { limit: 100 } } })),
  });
  const uid = chosenPartner || partners.data?.items[0]?.uid;
  const accounts = useQuery({
    queryKey: ['sandbox-accounts', uid],
    queryFn: () =>
      answer(api.GET('/audit/partners/{uid}/accounts', { params: { path: { uid: uid! }, query: { limit: 100 } } })),
    enabled: uid !== undefined,
  });
  const accountUid = chosenAccount || accounts.data?.items[0]?.uid;
  const act = useMutation({
    mutationFn: actFor,
    onSuccess: (session) => {
      onChange(session);
      return client.invalidateQueries({ queryKey: ['access-keys'] });
    },
  });
  const once = useOnce();
  const begin = (uid: string) => once((ended) => act.mutate(uid, { onSettled: ended }));
  return (
    <>
      <p className="muted">
        {t('The page issues an access key for one hour and logs in with it. The event log records it.')}
      </p>
      <Answered query={partners} lines={2}>
        {({ items }) => (
          <div className="filters">
            <label className="field">
              <span className="field-label">{t('Partner')}</span>
              <select
                className="input long"
                value={uid}
                disabled={act.isPending}
                onChange={({ target }) => {
                  setPartner(target.value);
                  setAccount('');
                  onChange(null);
                }}
              >
                {items.map((one) => (
                  <option key={one.uid} value={one.uid}>
                    {one.name || one.uid}
                  </option>
                ))}
              </select>
            </label>
            <label className="field">
              <span className="field-label">{t('Account')}</span>
              <select
                className="input long"
                value={accountUid}
                disabled={act.isPending}
                onChange={({ target }) => {
                  setAccount(target.value);
                  onChange(null);
                }}
              >
                {accounts.data?.items.map((one) => (
                  <option key={one.uid} value={one.uid}>
                    {`${one.name || one.uid} · ${formatMoney(one.balance.available)}`}
                  </option>
                ))}
              </select>
            </label>
            <button
              type="button"
              className="button primary"
              disabled={accountUid === undefined || act.isPending || actor !== null}
              onClick={() => accountUid && begin(accountUid)}
            >
              {t('Act for this account')}
            </button>
          </div>
        )}
      </Answered>
      {accounts.error && <Failure error={accounts.error} />}
      {act.error && <Failure error={act.error} />}
      {actor && (
        <div className="notice good" role="status">
          <strong>{t('Acting for the account.')}</strong>
          <span className="row">
            {t('Access key')} <Id value={actor.accessKey} />
          </span>
        </div>
      )}
    </>
  );
}
