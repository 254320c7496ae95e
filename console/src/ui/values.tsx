import { Link } from 'react-router';
import { fromBase64, toHex } from '../format/bytes.js';
import { formatMoment } from '../format/date.js';
import { formatMoney } from '../format/money.js';
import { formatTaxNumber } from '../format/tax-number.js';
import { t, word } from '../i18n/index.js';
import { CopyButton } from './copy-button.js';

type Tone = 'good' | 'warn' | 'bad' | 'info' | 'idle';

const TONES: Readonly<Record<string, Tone>> = {
  Active: 'good',
  Completed: 'good',
  Delivered: 'good',
  Settled: 'good',
  Scheduled: 'idle',
  Registered: 'info',
  Pending: 'info',
  Running: 'info',
  Retrying: 'warn',
  Disabled: 'warn',
  Inactive: 'warn',
  Reversed: 'warn',
  Returned: 'warn',
  Error: 'bad',
  Exhausted: 'bad',
  Stopped: 'bad',
  Revoked: 'bad',
  Failed: 'bad',
  Lost: 'bad',
};

/** A state or status: a word, with a colour. */
export function Status({ value, tone }: { readonly value: string; readonly tone?: Tone }) {
  return <span className={`badge ${tone ?? TONES[value] ?? 'idle'}`}>{word(value)}</span>;
}

export function Money({ value, signed = false }: { readonly value: string; readonly signed?: boolean }) {
  if (!signed) return <span className="nowrap">{formatMoney(value)}</span>;
  const negative = value.startsWith('-');
  const none = /^-?0*(\.0*)?$/.test(value);
  return (
    <span className={`nowrap ${none ? '' : negative ? 'amount-minus' : 'amount-plus'}`}>
      {negative || none ? '' : '+'}
      {formatMoney(value)}
    </span>
  );
}

/** A moment in Brasília's time; its tooltip is exact, in UTC. */
export function Moment({ value }: { readonly value: string | number | null | undefined }) {
  if (value === null || value === undefined || value === '') return <span className="muted">–</span>;
  const moment = new Date(value);
  const exact = Number.isNaN(moment.valueOf()) ? String(value) : moment.toISOString();
  return (
    <time dateTime={exact} title={exact} className="nowrap">
      {formatMoment(value)}
    </time>
  );
}

export function TaxNumber({ value }: { readonly value: string }) {
  return <span className="nowrap">{formatTaxNumber(value) || '–'}</span>;
}

/** An identifier with a copy button, linked to its page where there is one. `short` shows its end. */
export function Id({
  value,
  to,
  short = false,
}: {
  readonly value: string;
  readonly to?: string;
  readonly short?: boolean;
}) {
  const shown = short && value.length > 20 ? `…${value.slice(-12)}` : value;
  return (
    <span className="identifier">
      {to === undefined ? (
        <span title={value}>{shown}</span>
      ) : (
        <Link to={to} title={value}>
          {shown}
        </Link>
      )}
      <CopyButton text={value} label={shown} />
    </span>
  );
}

/** A tree's root, given in hex or base64: its first and last bytes in hex; a click copies all of it. */
export function Root({ value }: { readonly value: string }) {
  const hex = /^[0-9a-f]{64}$/.test(value) ? value : toHex(fromBase64(value));
  return (
    <span className="identifier" data-root={hex}>
      <span title={hex}>{`${hex.slice(0, 8)}…${hex.slice(-8)}`}</span>
      <CopyButton text={hex} label={t('Root')} />
    </span>
  );
}

/** A link by name; by the end of the identifier where the name is unknown or erased. */
export function Named({ uid, name, to }: { readonly uid: string; readonly name: unknown; readonly to: string }) {
  if (typeof name !== 'string' || name === '') return <Id value={uid} to={to} short />;
  return (
    <Link to={to} title={uid} className="break">
      {name}
    </Link>
  );
}

export function None() {
  return (
    <span className="muted" title={t('None')}>
      –
    </span>
  );
}
