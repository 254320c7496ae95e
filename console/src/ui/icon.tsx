/** Strokes on a field of 16 by 16. */
const PATHS = {
  overview: 'M2 13.5h12M4 11V8M8 11V3.5M12 11V6',
  partners: 'M2.5 13.5v-9l5.5-2 5.5 2v9M5.5 7h1M9.5 7h1M5.5 10h1M9.5 10h1M2 13.5h12',
  transactions: 'M2 5.5h11M10 2.5l3 3-3 3M14 10.5H3M6 7.5l-3 3 3 3',
  ledger: 'M3.5 2h8a1 1 0 0 1 1 1v11h-9zM3.5 14a1.5 1.5 0 0 1 0-3h9M6 5h4',
  med: 'M8 1.8l5 2v4c0 3.2-2 5.4-5 6.4-3-1-5-3.2-5-6.4v-4zM8 5v3.5M8 10.7v.1',
  reconciliation: 'M8 2.5v11M3 5.5h10M3 5.5l-1.5 4h3zM13 5.5l-1.5 4h3zM5 13.5h6',
  auditors: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3 14 14M5 7l1.5 1.5L9 6',
  sandbox: 'M6 2h4M7 2v4.5L3 13a.7.7 0 0 0 .6 1h8.8a.7.7 0 0 0 .6-1L9 6.5V2M5 10.5h6',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3 14 14',
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  copy: 'M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2',
  done: 'M3 8.5l3.5 3.5L13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  download: 'M8 2.5v8M4.5 7.5 8 11l3.5-3.5M2.5 13.5h11',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.5L13 6M13 2.5V6H9.5',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon beside a word. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden>
      <path d={PATHS[name]} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
