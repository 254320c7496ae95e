import { lazy, type ReactNode, Suspense } from 'react';
import { t } from '../i18n/index.js';

/** A line or column over time. `colour` is the name of a token. */
export interface Series {
  readonly name: string;
  readonly colour: 'accent' | 'good' | 'warn' | 'bad' | 'info' | 'muted';
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** `steps` hold until the next value; `columns` stand on each other; a `line` joins the values that there are. */
  readonly shape: 'steps' | 'columns' | 'line';
  readonly format: (value: number) => string;
}

interface Props extends ChartProps {
  readonly label: string;
  /** The same in words and numbers, for who does not see the drawing. */
  readonly table: ReactNode;
}

const Drawing = lazy(() => import('./drawing.js'));

/** A drawing of numbers over time, and the numbers themselves behind a button. */
export function Chart({ label, table, ...chart }: Props) {
  return (
    <figure>
      <div className="chart" role="img" aria-label={label}>
        <Suspense>
          <Drawing {...chart} />
        </Suspense>
      </div>
      <figcaption className="legend">
        {chart.series.map(({ name, colour }) => (
          <span key={name}>
            <svg width="10" height="10" aria-hidden>
              <rect width="10" height="10" rx="2" fill={`var(--${colour})`} />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
      <details>
        <summary>{t('As a table')}</summary>
        {table}
      </details>
    </figure>
  );
}
