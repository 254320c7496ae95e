/** A line or column over time. `colour` is the name of a token. */
export interface Series {
  readonly name: string;
  readonly colour: 'accent' | 'good' | 'warn' | 'bad' | 'info' | 'muted';
  readonly values: readonly (number | null)[];
}

/** What a chart draws. */
export interface ChartData {
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** `steps` hold until the next value; `columns` are stacked; a `line` joins the values that there are. */
  readonly shape: 'steps' | 'columns' | 'line';
  readonly format: (value: number) => string;
}

/** Series differ without their colours: lines by their dashes, columns by the strokes over a tile of 8 by 8. */
export const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [10, 3, 2, 3], [4, 6]];
export const HATCHES = ['', 'M-2 6L6 -2M2 10L10 2', 'M0 4H8', 'M-2 2L6 10M2 -2L10 6', 'M4 0V8'] as const;
