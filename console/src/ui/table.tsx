import type { ReactNode } from 'react';
import { Scroll } from './scroll.js';
import { Empty } from './states.js';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Right-aligned, digits under digits. */
  readonly number?: boolean;
  /** Left out on a phone. */
  readonly wide?: boolean;
  /** A row header. */
  readonly heading?: boolean;
}

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Without it rows are identified by their index. */
  readonly rowKey?: (row: Row) => string | number;
  /** Shown when there are no rows. */
  readonly empty?: string;
}

/** A table of few rows. For lists of any length see `DataTable`. */
export function Table<Row>({ label, columns, rows, rowKey, empty }: Props<Row>) {
  if (rows.length === 0 && empty !== undefined) return <Empty title={empty} />;
  return (
    <Scroll label={label}>
      <table className="table">
        <TableHead columns={columns} />
        <tbody>
          {rows.map((row, place) => (
            <tr key={rowKey?.(row) ?? place}>
              <Cells columns={columns} row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

export function TableHead<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.name} scope="col" className={classOf(column)}>
            {column.name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export function Cells<Row>({ columns, row }: { readonly columns: readonly Column<Row>[]; readonly row: Row }) {
  return columns.map((column) =>
    column.heading ? (
      <th key={column.name} scope="row" className={classOf(column)}>
        {column.cell(row)}
      </th>
    ) : (
      <td key={column.name} className={classOf(column)}>
        {column.cell(row)}
      </td>
    ),
  );
}

function classOf<Row>({ number, wide }: Column<Row>): string | undefined {
  return [number && 'number', wide && 'wide'].filter(Boolean).join(' ') || undefined;
}
