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

/** Lines and columns are told apart without their colours: by their dashes, by what is drawn over them in a tile of 8. */
export const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [10, 3, 2, 3], [4, 6]];
export const HATCHES = ['', 'M-2 6L6 -2M2 10L10 2', 'M0 4H8', 'M-2 2L6 10M2 -2L10 6', 'M4 0V8'] as const;

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
        {chart.series.map(({ name, colour }, place) => (
          <span key={name}>
            {chart.shape === 'columns' ? (
              <Tile colour={colour} place={place} />
            ) : (
              <svg width="22" height="8" aria-hidden>
                <path
                  d="M0 4H22"
                  stroke={`var(--${colour})`}
                  strokeWidth="2"
                  strokeDasharray={DASHES[place]?.join(' ')}
                />
              </svg>
            )}
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

/** What a column of a series is filled with. */
export function Tile({ colour, place, width = 12 }: { colour: Series['colour']; place: number; width?: number }) {
  const id = `hatch-${colour}-${place}`;
  return (
    <svg width={width} height="12" aria-hidden>
      <pattern id={id} width="8" height="8" patternUnits="userSpaceOnUse">
        <rect width="8" height="8" fill={`var(--${colour})`} />
        <path d={HATCHES[place]} stroke="var(--surface)" strokeWidth="1.5" />
      </pattern>
      <rect width={width} height="12" rx="2" fill={`url(#${id})`} />
    </svg>
  );
}
