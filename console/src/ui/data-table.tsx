import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Pages } from '../api/pages.js';
import { formatCount } from '../format/money.js';
import { t } from '../i18n/index.js';
import { Empty, Failure, Loading } from './states.js';
import { Scroll } from './scroll.js';
import { Cells, type Column, TableHead } from './table.js';

interface Props<Row> {
  readonly label: string;
  readonly pages: Pages<Row>;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly empty: string;
}

const ROW_HEIGHT = 41;

/**
 * A list of any length: the next page is loaded near the end, and only visible rows are in the document. It stays a
 * real table: an empty row above and one below have the height of the rest.
 */
export function DataTable<Row>({ label, pages, columns, rowKey, empty }: Props<Row>) {
  const { rows, isLoading, error, hasMore, isReading } = pages;
  const place = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const top = place.current ? Math.round(place.current.getBoundingClientRect().top + window.scrollY) : 0;
    setOffset((known) => (known === top ? known : top));
  }, [rows.length]);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
    scrollMargin: offset,
  });
  const shown = virtual.getVirtualItems();
  const first = shown[0];
  const last = shown.at(-1);
  // A page of a search may be empty and still have a next one.
  const isNearEnd = hasMore && (rows.length === 0 || (last !== undefined && last.index >= rows.length - 10));
  const more = useRef(pages.more);
  useEffect(() => {
    more.current = pages.more;
  });
  useEffect(() => {
    if (isNearEnd && !isReading && !error) more.current();
  }, [isNearEnd, isReading, error, rows.length]);

  if (isLoading) return <Loading lines={6} />;
  if (error && rows.length === 0) {
    return (
      <div className="panel-body">
        <Failure error={error} onRetry={pages.retry} />
      </div>
    );
  }
  if (rows.length === 0 && !hasMore) return <Empty title={empty} />;
  const above = first ? first.start - offset : 0;
  const below = last ? virtual.getTotalSize() - (last.end - offset) : 0;
  return (
    <div ref={place}>
      {/* Wider than a phone: it has a scrollbar of its own. */}
      <Scroll label={label}>
        <table className="table" aria-rowcount={hasMore ? -1 : rows.length + 1}>
          <caption className="visually-hidden">{label}</caption>
          <TableHead columns={columns} />
          <tbody>
            <Spacer height={above} columns={columns.length} />
            {shown.map(({ index }) => {
              const row = rows[index]!;
              return (
                <tr key={rowKey(row)} aria-rowindex={index + 2} data-index={index} ref={virtual.measureElement}>
                  <Cells columns={columns} row={row} />
                </tr>
              );
            })}
            <Spacer height={below} columns={columns.length} />
          </tbody>
        </table>
      </Scroll>
      {error && <Failure error={error} onRetry={pages.retry} />}
      <div className="table-foot">
        <span>
          {hasMore ? t('{} shown so far', formatCount(rows.length)) : t('{} in all', formatCount(rows.length))}
        </span>
        {hasMore && (
          <button type="button" className="button small" disabled={isReading} onClick={pages.more}>
            {isReading ? t('Loading …') : t('Load more')}
          </button>
        )}
      </div>
    </div>
  );
}

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr className="spacer" aria-hidden>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
