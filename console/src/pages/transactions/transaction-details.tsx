import { Link } from 'react-router';
import type { Transaction } from '../../api/views.js';
import { formatTaxNumber } from '../../format/tax-number.js';
import { t, word } from '../../i18n/index.js';
import { label, reason } from '../../i18n/service-words.js';
import { Fact, Facts, Panel } from '../../ui/layout.js';
import { Id, Named } from '../../ui/values.js';
import { Counterparty } from './transaction-columns.js';

/** Fields whose values are the service's words. All others are told from outside: a person may be named as a state. */
const CODED = /(^|\.)(method|type)$/;

/** A transaction's own fields. The fields of its payment differ by kind and are shown as they come. */
export function TransactionDetails({ transaction }: { readonly transaction: Transaction }) {
  const { id, partnerUid, counterpartyUid, endToEndId, refundOf, errorReason, orderDescription, partition, position } =
    transaction;
  const payment = flatten(transaction.payment);
  return (
    <Panel title={t('Details')}>
      <Facts>
        <Fact name={t('Id')}>
          <Id value={id} />
        </Fact>
        <Fact name={t('Partner')}>
          <Named uid={partnerUid} name={transaction.partnerName} to={`/partners/${partnerUid}`} />
        </Fact>
        {(counterpartyUid ?? transaction.counterpartyName) && (
          <Fact name={t('Counterparty')}>
            <Counterparty of={transaction} />
          </Fact>
        )}
        {endToEndId && (
          <Fact name="EndToEndId">
            <Id value={endToEndId} />
          </Fact>
        )}
        {refundOf && (
          <Fact name={t('Refund of')}>
            <Id value={refundOf} to={`/transactions/${refundOf}`} />
          </Fact>
        )}
        {errorReason && <Fact name={t('Reason of the error')}>{reason(errorReason)}</Fact>}
        {orderDescription && <Fact name={t('Description')}>{orderDescription}</Fact>}
        <Fact name={t('First event')}>
          <Link to={`/ledger/partitions/${partition}?position=${position}`}>
            {t('partition {}, position {}', partition, position)}
          </Link>
        </Fact>
      </Facts>
      {payment.length > 0 && (
        <>
          <h3>{t('Payment')}</h3>
          <Facts>
            {payment.map(([path, value]) => (
              <Fact key={path} name={label(path)} long={value.length > 40}>
                {/(taxNumber|cpf)$/.test(path) ? (
                  formatTaxNumber(value)
                ) : value.length > 60 ? (
                  <span className="mono">{value}</span>
                ) : CODED.test(path) ? (
                  word(value)
                ) : (
                  value
                )}
              </Fact>
            ))}
          </Facts>
        </>
      )}
    </Panel>
  );
}

/** Fields by their paths, `recipient.account.ispb`, without the empty ones. */
function flatten(value: unknown, path = ''): [string, string][] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object') return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, member]) => flatten(member, path === '' ? name : `${path}.${name}`));
}
