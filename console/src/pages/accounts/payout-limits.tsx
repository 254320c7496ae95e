import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Data } from '../../api/client.js';
import { useSession } from '../../app/session.js';
import { formatCount, formatMoney, parseMoney } from '../../format/money.js';
import { type Phrase, t } from '../../i18n/index.js';
import { MoneyField, SelectField, TextField } from '../../ui/fields.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Fact, Facts, Panel } from '../../ui/layout.js';
import type { Values } from '../../ui/request-form.js';
import { Answered } from '../../ui/states.js';
import { type Column, Table } from '../../ui/table.js';
import { Moment } from '../../ui/values.js';

type Limits = Data<'/audit/accounts/{uid}/limits'>;

/** The limits that an account may have: a member of the answer, its name, and whether it counts reais or payouts. */
const LIMITS = [
  ['payment', 'One payout', 'money'],
  ['day', 'By day', 'money'],
  ['night', 'By night', 'money'],
  ['month', 'In a month', 'money'],
  ['payoutsPerHour', 'Payouts in an hour', 'count'],
] as const satisfies readonly (readonly [keyof Limits, Phrase, 'money' | 'count'])[];

type Name = (typeof LIMITS)[number][0];
type Kind = (typeof LIMITS)[number][2];
type Value = string | number | null;

interface Row {
  readonly name: Name;
  readonly title: Phrase;
  readonly kind: Kind;
  readonly limit: Value;
  /** Of one payout nothing is counted. */
  readonly used?: Value;
  readonly left?: Value;
  readonly to?: string;
  readonly next: { readonly limit: Value; readonly from: string } | null;
}

/** What an account may pay out, what is used and left; operators may change it. */
export function PayoutLimits({ uid }: { readonly uid: string }) {
  const { mayChange } = useSession();
  const limits = useQuery({
    queryKey: ['payout-limits', uid],
    queryFn: () => answer(api.GET('/audit/accounts/{uid}/limits', { params: { path: { uid } } })),
    refetchInterval: 3_000,
  });
  return (
    <Panel
      title={t('Payout limits')}
      actions={mayChange && limits.data && <ChangePayoutLimits uid={uid} limits={limits.data} />}
    >
      <Answered query={limits}>
        {(data) => (
          <>
            <Table label={t('Payout limits')} columns={columns()} rows={rowsOf(data)} />
            <Facts>
              <Fact name={t('The night begins at')}>{data.nightStartsAt}</Fact>
              {data.nextNightStart && (
                <Fact name={t('From then on')}>
                  {data.nextNightStart.nightStartsAt} · <Moment value={data.nextNightStart.from} />
                </Fact>
              )}
            </Facts>
          </>
        )}
      </Answered>
    </Panel>
  );
}

function rowsOf(limits: Limits): Row[] {
  return LIMITS.map(([name, title, kind]) => ({ name, title, kind, ...limits[name] }));
}

function columns(): Column<Row>[] {
  return [
    { name: t('Limit of'), cell: ({ title }) => t(title) },
    { name: t('Limit'), number: true, cell: ({ kind, limit }) => shown(kind, limit, t('no limit')) },
    { name: t('Used'), number: true, cell: ({ kind, used }) => shown(kind, used) },
    { name: t('Left'), number: true, cell: ({ kind, left }) => shown(kind, left) },
    { name: t('Period ends'), wide: true, cell: ({ to }) => <Moment value={to} /> },
    {
      name: t('From then on'),
      wide: true,
      cell: ({ kind, next }) =>
        next && (
          <>
            {shown(kind, next.limit, t('no limit'))} · <Moment value={next.from} />
          </>
        ),
    },
  ];
}

function shown(kind: Kind, value: Value | undefined, none = '–') {
  if (value === null || value === undefined) return <span className="muted">{none}</span>;
  return kind === 'money' ? formatMoney(String(value)) : formatCount(value);
}

function ChangePayoutLimits({ uid, limits }: { readonly uid: string; readonly limits: Limits }) {
  // The page reads the limits anew while the form is open: changes are told from what the form showed at first.
  const [opened, setOpened] = useState(limits);
  const known = typedOf(opened);
  return (
    <FormDialog
      trigger={t('Change')}
      onOpen={() => setOpened(limits)}
      triggerClass="small"
      title={t('Payout limits')}
      text={t('An empty field takes the limit away. What is lowered is lowered at once, what is raised waits.')}
      submit={t('Save')}
      done={t('The limits are changed.')}
      onSubmit={(values) =>
        answer(api.PATCH('/admin/accounts/{uid}/limits', { params: { path: { uid } }, body: changesOf(values, known) }))
      }
    >
      <div className="form-grid">
        {LIMITS.map(([name, title, kind]) =>
          kind === 'money' ? (
            <MoneyField key={name} name={name} label={t(title)} defaultValue={known[name] ?? ''} />
          ) : (
            <TextField key={name} name={name} label={t(title)} inputMode="numeric" defaultValue={known[name] ?? ''} />
          ),
        )}
        <SelectField
          name="nightStartsAt"
          label={t('The night begins at')}
          defaultValue={known['nightStartsAt']}
          options={['20:00', '22:00'].map((one) => [one, one])}
        />
      </div>
    </FormDialog>
  );
}

/** The present limits as one would type them. */
function typedOf(limits: Limits): Values {
  const typed = LIMITS.map(([name]) => [name, String(limits[name].limit ?? '').replace('.', ',')] as const);
  return { ...Object.fromEntries(typed), nightStartsAt: limits.nightStartsAt };
}

/** Only what was changed: the present value of a limit that is to be raised would take the raise back. */
function changesOf(values: Values, known: Values): Partial<Record<Name | 'nightStartsAt', never>> {
  const changed = Object.entries(values).filter(([name, typed]) => typed !== known[name]);
  const kinds = new Map<string, Kind>(LIMITS.map(([name, , kind]) => [name, kind]));
  const valueOf = (name: string, typed: string) => {
    if (typed === '') return null;
    if (kinds.get(name) === 'money') return parseMoney(typed) ?? typed;
    return kinds.get(name) === 'count' && /^\d+$/.test(typed) ? Number(typed) : typed;
  };
  // What the service refuses is shown beside its field.
  return Object.fromEntries(changed.map(([name, typed]) => [name, valueOf(name, typed ?? '') as never]));
}
