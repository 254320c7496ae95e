import { Link } from 'react-router';
import { useNames } from '../api/names.js';
import { eventName } from '../i18n/service-words.js';
import { formatMoney, fromCentavos } from '../format/money.js';
import { t } from '../i18n/index.js';
import { type EventMetadata, type Posting, readEvent } from './event-data.js';
import { Id, Moment, Money, Named } from './values.js';
import { Scroll, Verbatim } from './scroll.js';

interface ShownEvent {
  readonly position: string;
  readonly partition: number;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly time: number;
  readonly data: string;
  readonly metadata: string;
}

/** An event of the log: actor, time, request, postings, and the payload as stored. */
export function EventCard({ event }: { readonly event: ShownEvent }) {
  const { postings, metadata, payload } = readEvent(event.data, event.metadata);
  return (
    <article>
      <div className="row spread">
        <h3>
          {eventName(event.type)} <span className="muted mono">{event.type}</span>
        </h3>
        <span className="muted">
          <Moment value={event.time} /> ·{' '}
          <Link to={`/ledger/partitions/${event.partition}?position=${event.position}`}>
            {t('position {}', event.position)}
          </Link>
        </span>
      </div>
      <Origin metadata={metadata} />
      {postings.length > 0 && <Postings postings={postings} />}
      <details>
        <summary>{t('Payload')}</summary>
        <Verbatim label={t('Payload')}>{payload}</Verbatim>
      </details>
    </article>
  );
}

function Origin({ metadata: { actor, requestId, causation } }: { readonly metadata: EventMetadata }) {
  return (
    <div className="row muted">
      {actor && (
        <span>
          {t('by')} <span className="mono break">{actor}</span>
        </span>
      )}
      {requestId && (
        <span className="row">
          {t('request')} <Id value={requestId} />
        </span>
      )}
      {causation && (
        <span className="row">
          {t('caused by event')} <Id value={causation} short />
        </span>
      )}
    </div>
  );
}

/** The postings of one event, and their sum, computed here. */
function Postings({ postings }: { readonly postings: readonly Posting[] }) {
  const names = useNames(postings.flatMap(({ account, system }) => (system === undefined ? [account] : [])));
  const sum = postings.reduce((total, { amount }) => total + BigInt(amount), 0n);
  return (
    <Scroll label={t('Postings')}>
      <table className="table">
        <caption className="visually-hidden">{t('Postings')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Account')}</th>
            <th scope="col">{t('Bucket')}</th>
            <th scope="col" className="number">
              {t('Movement')}
            </th>
            <th scope="col" className="number">
              {t('Balance after')}
            </th>
            <th scope="col" className="number wide">
              {t('Entry')}
            </th>
          </tr>
        </thead>
        <tbody>
          {postings.map(({ account, system, bucket, amount, balance, entry }) => (
            <tr key={`${account}${bucket}${entry}`}>
              <td>{system ?? <Named uid={account} name={names.get(account)} to={`/accounts/${account}`} />}</td>
              <td>{bucketName(bucket)}</td>
              <td className="number">
                <Money value={fromCentavos(amount)} signed />
              </td>
              <td className="number">{formatMoney(fromCentavos(balance))}</td>
              <td className="number wide">{entry}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              {t('Sum of the postings')}
            </th>
            <td className="number" data-sum={String(sum)}>
              {formatMoney(fromCentavos(String(sum)))}
            </td>
            <td colSpan={2}>
              <span className={`badge ${sum === 0n ? 'good' : 'bad'}`}>
                {sum === 0n ? t('sums to zero') : t('does not sum to zero')}
              </span>
            </td>
          </tr>
        </tfoot>
      </table>
    </Scroll>
  );
}

function bucketName(bucket: string): string {
  if (bucket === 'held') return t('Held');
  return bucket === 'blocked' ? t('Blocked by holds') : t('Available');
}
