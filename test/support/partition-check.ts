import { parse } from 'libpg-query';

/**
 * Whether a statement can be sent to one partition: every table that has a column `partition` is held to one value of
 * it, by a condition that must be true (a parameter, a constant, or the partition of a table that is so held itself).
 * It reads PostgreSQL's own parse tree.
 */
export async function partitionFaults(statement: string, partitioned: ReadonlySet<string>): Promise<string[]> {
  const { stmts = [] } = await parse(statement);
  const walk = new Walk(partitioned);
  for (const { stmt } of stmts as { stmt: any }[]) walk.statement(stmt, undefined, new Map());
  return walk.faults();
}

/** Names of the tables that a statement reads or writes, CTEs aside; with a schema where the statement names one. */
export async function tablesOf(statement: string): Promise<ReadonlySet<string>> {
  const { stmts = [] } = await parse(statement);
  const names = new Set<string>();
  each(stmts, (node) => {
    const range = node.RangeVar ?? node.InsertStmt?.relation ?? node.UpdateStmt?.relation ?? node.DeleteStmt?.relation;
    if (range?.relname) names.add(range.schemaname ? `${range.schemaname}.${range.relname}` : range.relname);
  });
  return names;
}

/** Functions that tell the time of the server, where a statement writes with them. */
export async function serverTimesWritten(statement: string): Promise<string[]> {
  const { stmts = [] } = await parse(statement);
  const found: string[] = [];
  each(stmts, (node) => {
    for (const kind of ['InsertStmt', 'UpdateStmt', 'DeleteStmt']) {
      each(node[kind] ?? [], (inner) => {
        const name = inner.FuncCall?.funcname?.at(-1)?.String?.sval as string | undefined;
        if (name && /^(now|clock_timestamp|statement_timestamp|transaction_timestamp)$/.test(name)) found.push(name);
        if (inner.SQLValueFunction) found.push('current_timestamp');
      });
    }
  });
  return found;
}

/** What a column `partition` is held to: one value, or what these others are held to. */
type Held = 'one value' | Range | { readonly every: readonly (Held | undefined)[] };

/** One mention of a table, CTE or subquery in a FROM. */
interface Range {
  readonly label: string;
  /** It has a column `partition`. */
  carries: boolean;
  readonly heldTo: (Held | undefined)[];
}

interface Scope {
  readonly ranges: Map<string, Range>;
  readonly outer: Scope | undefined;
}

type Ctes = ReadonlyMap<string, Range>;

class Walk {
  readonly #demanded: Range[] = [];
  readonly #faults: string[] = [];

  constructor(private readonly partitioned: ReadonlySet<string>) {}

  faults(): string[] {
    const loose = this.#demanded.filter((range) => !isHeld(range, new Set()));
    return [...this.#faults, ...loose.map(({ label }) => `${label} is not held to one partition`)];
  }

  statement(node: any, outer: Scope | undefined, ctes: Ctes): Held | undefined {
    if (node.SelectStmt) return this.#select(node.SelectStmt, outer, ctes);
    if (node.InsertStmt) return this.#insert(node.InsertStmt, outer, ctes);
    if (node.UpdateStmt) return this.#change(node.UpdateStmt, node.UpdateStmt.fromClause, outer, ctes);
    if (node.DeleteStmt) return this.#change(node.DeleteStmt, node.DeleteStmt.usingClause, outer, ctes);
    return undefined;
  }

  #select(select: any, outer: Scope | undefined, before: Ctes): Held | undefined {
    const ctes = this.#with(select.withClause, outer, before);
    if (select.larg) {
      return { every: [this.#select(select.larg, outer, ctes), this.#select(select.rarg, outer, ctes)] };
    }
    const scope = this.#from(select.fromClause, select.whereClause, outer, ctes);
    for (const part of ['targetList', 'groupClause', 'havingClause', 'sortClause', 'limitCount', 'valuesLists']) {
      this.#subqueries(select[part], scope, ctes);
    }
    return this.#output(select.targetList, scope);
  }

  #insert(insert: any, outer: Scope | undefined, before: Ctes): undefined {
    const { relname, schemaname } = insert.relation;
    const ctes = this.#with(insert.withClause, outer, before);
    const at = (insert.cols ?? []).findIndex(({ ResTarget }: any) => ResTarget.name === 'partition');
    const select = insert.selectStmt.SelectStmt;
    const inner = this.#with(select.withClause, outer, ctes);
    const scope = this.#from(select.fromClause, select.whereClause, outer, inner);
    this.#subqueries(select.targetList, scope, inner);
    if (!this.#isPartitioned(relname, schemaname)) return;
    if (at === -1) {
      this.#faults.push(`the insert into ${relname} does not name the partition`);
      return;
    }
    const values = select.valuesLists
      ? select.valuesLists.map(({ List }: any) => List.items[at])
      : [select.targetList[at].ResTarget.val];
    const row: Range = {
      label: `the row inserted into ${relname}`,
      carries: true,
      heldTo: [{ every: values.map((value: any) => this.#side(value, scope)) }],
    };
    this.#demanded.push(row);
    const conflict = insert.onConflictClause?.infer?.indexElems;
    if (conflict && !conflict.some(({ IndexElem }: any) => IndexElem.name === 'partition')) {
      this.#faults.push(`the conflict of ${relname} is looked for without the partition`);
    }
  }

  #change(change: any, from: any, outer: Scope | undefined, before: Ctes): Held | undefined {
    const ctes = this.#with(change.withClause, outer, before);
    const scope = this.#from([{ RangeVar: change.relation }, ...(from ?? [])], change.whereClause, outer, ctes);
    this.#subqueries(change.targetList, scope, ctes);
    const moved = (change.targetList ?? []).some(({ ResTarget }: any) => ResTarget.name === 'partition');
    if (moved) this.#faults.push(`${change.relation.relname}: a row is moved to another partition`);
    return this.#output(change.returningList, scope);
  }

  #with(clause: any, outer: Scope | undefined, before: Ctes): Ctes {
    const ctes = new Map(before);
    for (const { CommonTableExpr } of clause?.ctes ?? []) {
      const { ctename, ctequery } = CommonTableExpr;
      const range: Range = { label: ctename, carries: true, heldTo: [] };
      const recursive = clause.recursive && ctequery.SelectStmt?.larg;
      if (recursive) {
        // By induction: the first rows are held, and each step holds its own if those before were.
        ctes.set(ctename, range);
        const inner = this.#with(ctequery.SelectStmt.withClause, outer, ctes);
        const base = this.#select(ctequery.SelectStmt.larg, outer, inner);
        range.heldTo.push(base);
        range.carries = base !== undefined;
        const step = this.#select(ctequery.SelectStmt.rarg, outer, inner);
        ctes.set(ctename, { label: ctename, carries: range.carries, heldTo: [{ every: [range, step] }] });
      } else {
        const held = this.statement(ctequery, outer, ctes);
        ctes.set(ctename, { label: ctename, carries: held !== undefined, heldTo: [held] });
      }
    }
    return ctes;
  }

  #from(from: any[] | undefined, where: any, outer: Scope | undefined, ctes: Ctes): Scope {
    const scope: Scope = { ranges: new Map(), outer };
    const conditions = [where];
    const add = (item: any): void => {
      if (item.JoinExpr) {
        add(item.JoinExpr.larg);
        add(item.JoinExpr.rarg);
        conditions.push(item.JoinExpr.quals);
        this.#using(item.JoinExpr, scope);
      } else if (item.RangeVar) {
        this.#table(item.RangeVar, scope, ctes);
      } else if (item.RangeSubselect) {
        const { alias, subquery } = item.RangeSubselect;
        const held = this.statement(subquery, scope, ctes);
        scope.ranges.set(alias.aliasname, { label: alias.aliasname, carries: held !== undefined, heldTo: [held] });
      } else if (item.RangeFunction) {
        this.#subqueries(item, scope, ctes);
      }
    };
    from?.forEach(add);
    for (const condition of conditions) {
      this.#hold(condition, scope);
      this.#subqueries(condition, scope, ctes);
    }
    return scope;
  }

  /** `using (partition)` makes those of the left and the right equal, as a condition does. */
  #using({ usingClause, larg, rarg }: any, scope: Scope): void {
    if (!usingClause?.some(({ String: name }: any) => name.sval === 'partition')) return;
    const carrying = (item: any) =>
      namesIn(item)
        .map((name) => scope.ranges.get(name)!)
        .find(({ carries }) => carries);
    const [left, right] = [carrying(larg), carrying(rarg)];
    left?.heldTo.push(right);
    right?.heldTo.push(left);
  }

  /** Partitioned tables are of the schema public; the simulated bank has tables of the same names. */
  #isPartitioned(relname: string, schemaname = 'public'): boolean {
    return schemaname === 'public' && this.partitioned.has(relname);
  }

  #table({ relname, schemaname, alias }: any, scope: Scope, ctes: Ctes): void {
    const name = alias?.aliasname ?? relname;
    const cte = schemaname ? undefined : ctes.get(relname);
    const carries = cte ? cte.carries : this.#isPartitioned(relname, schemaname);
    const range: Range = {
      label: name === relname ? relname : `${relname} ${name}`,
      carries,
      heldTo: cte ? [cte] : [],
    };
    scope.ranges.set(name, range);
    if (carries && !cte) this.#demanded.push(range);
  }

  /** Notes the equalities that must be true for a row to be looked at: those under OR and NOT do not count. */
  #hold(condition: any, scope: Scope): void {
    if (condition?.BoolExpr?.boolop === 'AND_EXPR') {
      condition.BoolExpr.args.forEach((part: any) => this.#hold(part, scope));
    }
    const { A_Expr } = condition ?? {};
    if (A_Expr?.kind !== 'AEXPR_OP' || A_Expr.name[0].String.sval !== '=') return;
    const left = this.#side(A_Expr.lexpr, scope);
    const right = this.#side(A_Expr.rexpr, scope);
    const own = (side: Held | undefined): side is Range => [...scope.ranges.values()].includes(side as Range);
    if (own(left)) left.heldTo.push(right);
    if (own(right)) right.heldTo.push(left);
  }

  #side(expression: any, scope: Scope): Held | undefined {
    if (expression?.TypeCast) return this.#side(expression.TypeCast.arg, scope);
    if (expression?.ParamRef || expression?.A_Const) return 'one value';
    const fields = expression?.ColumnRef?.fields as any[] | undefined;
    if (fields?.at(-1)?.String?.sval !== 'partition') return undefined;
    return find(scope, fields.length > 1 ? fields.at(-2).String.sval : undefined);
  }

  #output(targets: any[] | undefined, scope: Scope): Held | undefined {
    for (const { ResTarget } of targets ?? []) {
      const fields = ResTarget.val?.ColumnRef?.fields as any[] | undefined;
      if (fields?.at(-1)?.A_Star) return find(scope, fields.length > 1 ? fields[0].String.sval : undefined);
      const name = ResTarget.name ?? fields?.at(-1)?.String?.sval;
      if (name === 'partition') return this.#side(ResTarget.val, scope);
    }
    return undefined;
  }

  #subqueries(node: any, scope: Scope, ctes: Ctes): void {
    if (node === null || typeof node !== 'object') return;
    if (node.SubLink) {
      this.statement(node.SubLink.subselect, scope, ctes);
      this.#subqueries(node.SubLink.testexpr, scope, ctes);
    } else {
      for (const part of Object.values(node)) this.#subqueries(part, scope, ctes);
    }
  }
}

/** What one side of a join is known by. */
function namesIn({ JoinExpr, RangeVar, RangeSubselect }: any): string[] {
  if (JoinExpr) return [...namesIn(JoinExpr.larg), ...namesIn(JoinExpr.rarg)];
  if (RangeVar) return [RangeVar.alias?.aliasname ?? RangeVar.relname];
  return RangeSubselect ? [RangeSubselect.alias.aliasname] : [];
}

function find(scope: Scope | undefined, alias: string | undefined): Range | undefined {
  for (let at = scope; at; at = at.outer) {
    const range = alias === undefined ? [...at.ranges.values()].find(({ carries }) => carries) : at.ranges.get(alias);
    if (range) return range;
  }
  return undefined;
}

function isHeld(held: Held | undefined, seen: ReadonlySet<Held>): boolean {
  if (held === undefined || held === 'one value') return held !== undefined;
  if (seen.has(held)) return false;
  const within = new Set([...seen, held]);
  return 'every' in held
    ? held.every.every((one) => isHeld(one, within))
    : held.heldTo.some((one) => isHeld(one, within));
}

function each(node: any, visit: (node: any) => void): void {
  if (node === null || typeof node !== 'object') return;
  visit(node);
  for (const part of Object.values(node)) each(part, visit);
}
