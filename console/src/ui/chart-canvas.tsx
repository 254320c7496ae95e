import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatClock, formatDate } from '../format/date.js';
import { type ChartData, DASHES, HATCHES } from './series.js';

const HEIGHT = 220;
/** Counts and centavos are whole numbers: their axis has whole steps only. */
const WHOLE = Array.from({ length: 17 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

const PATHS = {
  columns: uPlot.paths.bars!({ size: [0.7, 28], align: 0 }),
  steps: uPlot.paths.stepped!({ align: 1 }),
  line: uPlot.paths.linear!(),
};

/** Draws a chart on a canvas: as wide as its container, drawn again when the colour scheme changes. */
export default function ChartCanvas({ times, series, shape, format }: ChartData) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current!;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(
        optionsOf({ times, series, shape, format }, element),
        dataOf({ times, series, shape, format }),
        element,
      );
    };
    draw();
    const observer = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [times, series, shape, format]);
  return <div ref={place} />;
}

/** Stacked columns are drawn as running sums, the tallest first. */
function dataOf({ times, series, shape }: ChartData): uPlot.AlignedData {
  if (shape !== 'columns') return [[...times], ...series.map(({ values }) => [...values])];
  const sums: number[][] = [];
  for (const { values } of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, i) => (value ?? 0) + (below?.[i] ?? 0)));
  }
  return [[...times], ...sums.reverse()];
}

function optionsOf({ times, series, shape, format }: ChartData, element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (token: string) => resolve(element, token);
  const axis = {
    stroke: colour('muted'),
    grid: { stroke: colour('line'), width: 1 },
    font: `11px ${style.fontFamily}`,
  };
  const ordered = shape === 'columns' ? [...series].reverse() : series;
  const day = 86_400;
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const tick = (seconds: number) => {
    if (span > 2 * day) return formatDate(seconds * 1000).slice(0, 5);
    return formatClock(seconds * 1000).slice(0, span < 600 ? 8 : 5);
  };
  return {
    width: element.clientWidth || 600,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: { x: { time: true }, y: { range: (_, low, high) => [Math.min(0, low), high > 0 ? high * 1.08 : 1] } },
    axes: [
      { ...axis, values: (_, seconds) => seconds.map(tick) },
      {
        ...axis,
        size: 82,
        ticks: { show: false },
        incrs: WHOLE,
        values: (_, values) => values.map(format),
      },
    ],
    series: [
      {},
      ...ordered.map(({ colour: token }, place) => ({
        stroke: colour(token),
        width: shape === 'columns' ? 0 : 1.75,
        dash: shape === 'columns' ? undefined : [...(DASHES[place] ?? [])],
        // Columns are drawn the tallest first: the last series first.
        fill:
          shape === 'columns'
            ? hatched(colour(token), colour('surface'), HATCHES[series.length - 1 - place] ?? '')
            : undefined,
        // A value without neighbours has no line: it is drawn as a point.
        points: { show: shape === 'line' },
        spanGaps: shape === 'line',
        paths: PATHS[shape],
      })),
    ],
  };
}

/** A colour with the strokes of a hatch over it. */
function hatched(colour: string, strokes: string, path: string): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 8;
  const canvas = tile.getContext('2d')!;
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 8, 8);
  canvas.strokeStyle = strokes;
  canvas.lineWidth = 1.5;
  canvas.stroke(new Path2D(path));
  return canvas.createPattern(tile, 'repeat') ?? colour;
}

/** A token's colour for the canvas: a probe element resolves light-dark(). */
function resolve(element: HTMLElement, token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
