import { HATCHES, type Series } from './series.js';

interface Props {
  readonly colour: Series['colour'];
  /** The series' place among all: its hatch. */
  readonly place: number;
  readonly width?: number;
}

/** A box with the colour and hatch of a series' columns. */
export function Swatch({ colour, place, width = 12 }: Props) {
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
