import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { answer, api, type Data } from '../../api/client.js';
import { useNames } from '../../api/names.js';
import { useSession } from '../../app/session.js';
import { formatDate } from '../../format/date.js';
import { formatMoney } from '../../format/money.js';
import { t, word } from '../../i18n/index.js';
import { Fact, Facts, Page, Panel, Tile } from '../../ui/layout.js';
import { Answered, Empty } from '../../ui/states.js';
import { Id, Moment, Money, Named, None } from '../../ui/values.js';
import { CaseState, Deadline, isUndecided } from './case-state.js';
import { Decide } from './decide.js';
import { Story } from './story.js';

type CaseStory = Data<'/audit/med/{id}'>;

/** A report of fraud about a deposit: its deadline, its story, the defence, and the decision. */
export default function CasePage() {
  const id = useParams()['id']!;
  const { mayChange } = useSession();
  const found = useQuery({
    queryKey: ['med-case', id],
    queryFn: () => answer(api.GET('/audit/med/{id}', { params: { path: { id } } })),
    refetchInterval: 2_000,
  });
  const { data } = found;
  return (
    <Page
      title={data ? `MED · ${formatMoney(data.amount)}` : t('MED cases')}
      crumbs={[['/med', t('MED cases')]]}
      actions={data && mayChange && isUndecided(data.status) && <Decide id={id} />}
    >
      <Answered query={found}>
        {(one) => (
          <>
            <Tiles of={one} />
            <Story steps={one.story} />
            <Details of={one} />
            <Defence defence={one.defence} />
          </>
        )}
      </Answered>
    </Page>
  );
}

function Tiles({ of: one }: { readonly of: CaseStory }) {
  return (
    <div className="tiles">
      <Tile
        name={t('State')}
        value={<CaseState status={one.status} />}
        note={one.ending ? word(one.ending) : undefined}
      />
      <Tile name={t('Decide by')} value={formatDate(one.decideUntil)} note={<Deadline of={one} />} />
      <Tile name={t('Amount asked')} value={<Money value={one.amount} />} />
      <Tile
        name={t('Blocked now')}
        value={<Link to={`/accounts/${one.accountUid}?tab=holds`}>{formatMoney(one.blocked)}</Link>}
      />
      <Tile
        name={t('Given back')}
        value={<Money value={one.returned} />}
        note={t('{} under way', formatMoney(one.pending))}
      />
    </div>
  );
}

function Details({ of: one }: { readonly of: CaseStory }) {
  const names = useNames([one.accountUid]);
  return (
    <Panel title={t('Details')}>
      <Facts>
        <Fact name={t('Account')}>
          <Named uid={one.accountUid} name={names.get(one.accountUid)} to={`/accounts/${one.accountUid}`} />
        </Fact>
        <Fact name={t('Deposit')}>
          <Id value={one.transactionId} to={`/transactions/${one.transactionId}`} />
        </Fact>
        <Fact name="EndToEndId">
          <Id value={one.endToEndId} />
        </Fact>
        <Fact name={t('At the rail')}>
          <Id value={one.railId} />
        </Fact>
        <Fact name={t('Reason')}>{word(one.reason)}</Fact>
        <Fact name={t('Agreed')}>{one.agreed ? <Money value={one.agreed} /> : <None />}</Fact>
        <Fact name={t('Defence until')}>
          <Moment value={one.defenceUntil} />
        </Fact>
        <Fact name={t('Returns until')}>
          <Moment value={one.returnUntil} />
        </Fact>
        {one.details && (
          <Fact name={t("Payer's words")} long>
            <span className="break">{one.details}</span>
          </Fact>
        )}
        {one.note && (
          <Fact name={t('Note')} long>
            <span className="break">{one.note}</span>
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

/** Addresses in it are the partner's: they are text, so that nobody follows one by a slip. */
function Defence({ defence }: Pick<CaseStory, 'defence'>) {
  return (
    <Panel title={t('Defence')}>
      {defence ? (
        <>
          <p className="break">{defence.text}</p>
          <ul>
            {defence.links.map((link, place) => (
              <li key={place} className="mono break">
                {link}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <Empty title={t('No defence.')} />
      )}
    </Panel>
  );
}
