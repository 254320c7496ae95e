import { Link } from 'react-router';
import type { Data } from '../../api/client.js';
import { t, word } from '../../i18n/index.js';
import { eventName, reason } from '../../i18n/service-words.js';
import { Panel } from '../../ui/layout.js';
import { Moment, Money } from '../../ui/values.js';

type Step = Data<'/audit/med/{id}'>['story'][number];

/** What happened to a case, oldest first. */
export function Story({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <Panel title={t('Story')}>
      <ol className="timeline">
        {steps.map((step, place) => (
          <li key={place}>
            <div className="row spread">
              <h3>{eventName(step.type)}</h3>
              <span className="muted">
                <Moment value={step.at} />
              </span>
            </div>
            <div className="row">
              {step.amount && <Money value={step.amount} />}
              {step.reason && (
                <span>{step.type === 'InfractionReported' ? word(step.reason) : reason(step.reason)}</span>
              )}
              {step.refundId && <Link to={`/transactions/${step.refundId}`}>{t('Refund')}</Link>}
              <span className="muted">
                {t('by')} <span className="mono break">{step.by}</span>
              </span>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
