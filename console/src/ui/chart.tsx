import { lazy, type ReactNode, Suspense } from 'react';
import { t } from '../i18n/index.js';
import { type ChartData, DASHES } from './series.js';
import { Swatch } from './swatch.js';

interface Props extends ChartData {
  readonly label: string;
  /** The same in words and numbers, for those who do not see the chart. */
  readonly table: ReactNode;
}

const Canvas = lazy(() => import('./chart-canvas.js'));

/** Numbers over time as a chart, and as a table behind a button. */
export function Chart({ label, table, ...chart }: Props) {
  return (
    <figure>
      <div className="chart" role="img" aria-label={label}>
        <Suspense>
          <Canvas {...chart} />
        </Suspense>
      </div>
      <figcaption className="legend">
        {chart.series.map(({ name, colour }, place) => (
          <span key={name}>
            {chart.shape === 'columns' ? (
              <Swatch colour={colour} place={place} />
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
