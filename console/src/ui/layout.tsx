import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { t } from '../i18n/index.js';

interface PageProps {
  readonly title: string;
  readonly heading?: ReactNode;
  readonly crumbs?: readonly (readonly [to: string, name: string])[];
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The first page leaves the focus where the browser puts it: before the skip link. */
let hasNavigated = false;

/** A page with its title, breadcrumbs and actions. After navigation the title takes the focus, for screen readers. */
export function Page({ title, heading, crumbs, actions, children }: PageProps) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${t('Payments console')}`;
  }, [title]);
  useEffect(() => {
    window.scrollTo(0, 0);
    if (hasNavigated) head.current?.focus({ preventScroll: true });
    hasNavigated = true;
  }, []);
  return (
    <div className="page">
      <div className="page-head">
        <div className="page-title">
          {crumbs && (
            <nav className="crumbs" aria-label={t('Breadcrumbs')}>
              {crumbs.map(([to, name]) => (
                <span key={to}>
                  <Link to={to}>{name}</Link> <span aria-hidden>/</span>
                </span>
              ))}
            </nav>
          )}
          <h1 ref={head} tabIndex={-1} className="break">
            {heading ?? title}
          </h1>
        </div>
        {actions && <div className="row">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

interface PanelProps {
  readonly title: string;
  readonly actions?: ReactNode;
  /** Without padding: for tables. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

export function Panel({ title, actions, flush = false, children }: PanelProps) {
  return (
    <section className="panel" aria-label={title}>
      <div className="panel-head">
        <h2>{title}</h2>
        {actions && <div className="row">{actions}</div>}
      </div>
      <div className={`panel-body ${flush ? 'flush' : ''}`}>{children}</div>
    </section>
  );
}

export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

interface FactProps {
  readonly name: string;
  /** Takes the full width. */
  readonly long?: boolean;
  readonly children: ReactNode;
}

export function Fact({ name, long = false, children }: FactProps) {
  return (
    <div className={long ? 'long' : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Tile({
  name,
  value,
  note,
}: {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
}) {
  return (
    <div className="tile">
      <span className="tile-name">{name}</span>
      <span className="tile-value">{value}</span>
      {note && <span className="tile-note">{note}</span>}
    </div>
  );
}
