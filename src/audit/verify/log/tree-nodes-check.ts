import type { Database } from '../../../platform/database/database.js';
import { GrowingTree, type StoredNode } from '../../tree/growing-tree.js';
import { TREE_CONSUMER } from '../../tree/stored-nodes.js';
import { type Findings, show } from '../report.js';

/** Ranks with the rows of projections. */
const CHECK = 'rows of tree nodes';

/**
 * Compares the stored nodes of a partition's tree, of which proofs are made, with those of the leaves, a page of the
 * log at a time.
 */
export class TreeNodesCheck {
  readonly #tree = new GrowingTree();
  #expected: StoredNode[] = [];

  /** @param covered leaves that the stored nodes covered when the verification began */
  constructor(
    private readonly database: Database,
    private readonly findings: Findings,
    private readonly partition: number,
    private readonly covered: bigint,
  ) {}

  examine(leaf: Buffer): void {
    if (this.#tree.size < this.covered) this.#expected.push(...this.#tree.append(leaf));
  }

  /**
   * Compares the nodes that `examine` collected. A rebuild of them may have begun meanwhile: those beyond their
   * checkpoint of the same moment are still to be made.
   */
  async compare(): Promise<void> {
    const expected = this.#expected;
    if (expected.length === 0) return;
    this.#expected = [];
    const rows = await this.database.backgroundQuery<{ hash: Buffer | null; covered: string }>({
      name: 'verify-tree-nodes',
      text: `
        select t.hash, coalesce(s.position, 0) as covered
        from unnest($2::smallint[], $3::bigint[]) with ordinality as n (level, index, nth)
        left join tree_node t on t.partition = $1 and t.level = n.level and t.index = n.index
        left join subscription s on s.partition = $1 and s.consumer = $4
        order by n.nth`,
      values: [this.partition, expected.map(({ level }) => level), expected.map(({ index }) => index), TREE_CONSUMER],
    });
    this.findings.saw(CHECK, expected.length);
    expected.forEach(({ level, index, hash }, i) => {
      const { hash: found, covered } = rows[i]!;
      if (found ? found.equals(hash) : (index + 1n) << BigInt(level) > BigInt(covered)) return;
      this.#wrong(level, index, show(hash), show(found ?? undefined));
    });
  }

  /**
   * Compares the rest, and reports nodes that no leaves make: beyond the head or their checkpoint, or with invalid
   * coordinates. Nodes and their checkpoint are committed together, so one statement sees both of one moment.
   */
  async finish(): Promise<void> {
    await this.compare();
    const extra = await this.database.backgroundQuery<{ level: number; index: string; hash: Buffer }>({
      name: 'verify-tree-nodes-beyond',
      text: `
        select t.level, t.index, t.hash
        from tree_node t
        join log_head h on h.partition = $1
        left join subscription s on s.partition = h.partition and s.consumer = $2
        where t.partition = $1
          and (t.level not between 4 and 60 or t.index < 0
            or (t.index::numeric + 1) * 2 ^ t.level > least(h.position, coalesce(s.position, 0)))
        limit 100`,
      values: [this.partition, TREE_CONSUMER],
    });
    for (const { level, index, hash } of extra) this.#wrong(level, BigInt(index), 'nothing', show(hash));
  }

  #wrong(level: number, index: bigint, expected: string, found: string): void {
    const { partition } = this;
    const position = level <= 60 && index >= 0n ? (index << BigInt(level)) + 1n : null;
    const subject = `node ${index} of level ${level}`;
    this.findings.report({ check: CHECK, partition, position, subject, field: 'hash', expected, found });
  }
}
