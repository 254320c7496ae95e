import { useEffect, useState } from 'react';
import { useSession } from '../../app/session.js';
import { t } from '../../i18n/index.js';
import { Page, Panel } from '../../ui/layout.js';
import { Empty } from '../../ui/states.js';
import { Actor } from './actor.js';
import { CodePayment } from './code-payment.js';
import { Deposit } from './deposit.js';
import { type PartnerSession, SESSION_MS } from './partner-session.js';
import { Payout } from './payout.js';

/** Both ends of a payment on one page: the partner, and the bank at the other end. */
export default function SandboxPage() {
  const { session, mayChange } = useSession();
  const [actor, setActor] = useState<PartnerSession | null>(null);
  // Then another one may be begun.
  useEffect(() => {
    const timer = actor ? setTimeout(() => setActor(null), SESSION_MS) : undefined;
    return () => clearTimeout(timer);
  }, [actor]);
  if (!mayChange || !session.features.sandbox) {
    return (
      <Page title={t('Sandbox')}>
        <Empty title={t('The sandbox is off.')} />
      </Page>
    );
  }
  return (
    <Page title={t('Sandbox')}>
      <Panel title={t('1. Act for an account')}>
        <Actor actor={actor} onChange={setActor} />
      </Panel>
      {actor && (
        <div className="columns" key={actor.accountUid}>
          <Deposit actor={actor} />
          <Payout actor={actor} />
          <CodePayment actor={actor} />
        </div>
      )}
    </Page>
  );
}
