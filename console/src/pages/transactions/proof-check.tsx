import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client.js';
import type { StoredEvent } from '../../api/views.js';
import { formatMoment } from '../../format/date.js';
import { Link } from 'react-router';
import { t } from '../../i18n/index.js';
import { eventName } from '../../i18n/service-words.js';
import { checkInclusion, type ProofReport } from '../../proof/check-proof.js';
import { Icon } from '../../ui/icon.js';
import { Panel } from '../../ui/layout.js';
import { Failure } from '../../ui/states.js';
import { Root } from '../../ui/values.js';
import { ProofPath } from './proof-path.js';
import { readTrustedKey, writeTrustedKey } from './trusted-key.js';

interface Props {
  readonly events: readonly StoredEvent[];
  readonly partition: number;
}

interface Checked {
  readonly event: StoredEvent;
  readonly report: ProofReport;
}

/**
 * Proves in this browser that the events shown above are under a signed checkpoint (docs/audit-format.md). A key served
 * with the checkpoint proves little: the browser keeps the first key it saw, and another one may be pasted.
 */
export function ProofCheck({ events, partition }: Props) {
  const checkpoints = useQuery({
    queryKey: ['checkpoints'],
    queryFn: () => answer(api.GET('/audit/checkpoints')),
    refetchInterval: 5_000,
  });
  const newest = checkpoints.data?.items.find((one) => one.partition === partition);
  const [typed, setTyped] = useState<string>();
  const key = typed ?? readTrustedKey(partition) ?? newest?.vkey ?? '';
  const sealed = newest !== undefined && events.every(({ position }) => BigInt(position) <= BigInt(newest.size));
  const check = useMutation({
    mutationFn: async (): Promise<Checked[]> => {
      const checked = [];
      for (const event of events) {
        const query = { partition: event.partition, position: Number(event.position) };
        const proof = await answer(api.GET('/audit/proofs/inclusion', { params: { query } }));
        checked.push({ event, report: await checkInclusion(event, proof, key) });
      }
      writeTrustedKey(partition, key);
      return checked;
    },
  });
  return (
    <Panel
      title={t('Proof of inclusion')}
      actions={
        <button
          type="button"
          className="button small"
          disabled={!sealed || key === '' || check.isPending}
          onClick={() => check.mutate()}
        >
          {t('Check in this browser')}
        </button>
      }
    >
      <p className="muted" role="status">
        {newest === undefined
          ? t('No checkpoint is signed yet.')
          : sealed
            ? t('Sealed by the checkpoint of {} events, signed {}.', newest.size, formatMoment(newest.signedAt))
            : t('Not sealed yet: the newest checkpoint was signed before these events.')}
      </p>
      <details>
        <summary>{t('Trusted key')}</summary>
        <label className="field">
          <span className="field-label">{t('Verifier key (vkey)')}</span>
          <textarea
            className="input mono"
            value={key}
            spellCheck={false}
            onChange={({ target }) => {
              setTyped(target.value.trim());
              // A verdict is one by the key that is shown.
              check.reset();
            }}
          />
          <span className="field-hint">
            {t(
              'This browser keeps the first key that it saw. Compare it with the key that the operator gave you by another channel.',
            )}
          </span>
        </label>
      </details>
      {check.error && <Failure error={check.error} />}
      {check.data && <Result checked={check.data} />}
    </Panel>
  );
}

function Result({ checked }: { readonly checked: readonly Checked[] }) {
  const holds = checked.every(({ report }) => report.holds);
  return (
    <div className={`notice ${holds ? 'good' : 'bad'}`} role="status" data-proof={holds ? 'holds' : 'fails'}>
      <strong>{holds ? t('Proved: every event is in the signed log.') : t('Not proved.')}</strong>
      <ul className="check-list">
        {checked.map(({ event, report }) => (
          <li key={event.id}>
            <Icon name={report.holds ? 'done' : 'cross'} />
            <div>
              <strong>
                {eventName(event.type)} ·{' '}
                <Link to={`/ledger/partitions/${event.partition}?position=${event.position}`}>
                  {t('position {}', event.position)}
                </Link>
              </strong>
              <div>
                {report.included
                  ? t('Its leaf leads to the signed root.')
                  : t('Its leaf does not lead to the signed root.')}
              </div>
              <div>
                {report.signed
                  ? t('The checkpoint is signed by the trusted key.')
                  : t('The checkpoint is not signed by the trusted key.')}
              </div>
              {!report.place && <div>{t('The proof is for another position in the log.')}</div>}
              <details>
                <summary>{t('Merkle path')}</summary>
                <ProofPath leaf={report.leaf} steps={report.steps} />
              </details>
              <div className="muted">
                {t('leaf')} <Root value={report.leaf} />
              </div>
              <div className="muted">
                {t('root')} {report.computed === null ? '–' : <Root value={report.computed} />}
              </div>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
