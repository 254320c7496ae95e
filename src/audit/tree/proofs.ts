import { Injectable, Logger } from '@nestjs/common';
import { ServiceUnavailable } from '../../platform/errors/index.js';
import type { StoredCheckpoint } from '../checkpoints/checkpoint-store.js';
import { HistoryAltered } from '../errors.js';
import { TreeNodes } from './tree-nodes.js';
import { provesConsistency, provesInclusion } from './verify-proof.js';

type SignedTree = Pick<StoredCheckpoint, 'partition' | 'size' | 'root'>;

/** An event whose inclusion is to be proved. */
export interface ProvedEvent {
  readonly position: bigint;
  readonly leaf: Buffer;
}

/** Proofs for clients: each is checked against the signed root before it is returned. */
@Injectable()
export class Proofs {
  readonly #logger = new Logger(Proofs.name);

  constructor(private readonly nodes: TreeNodes) {}

  /** @throws NotYetCovered. @throws ProofUnsound */
  async inclusion(event: ProvedEvent, tree: SignedTree): Promise<Buffer[]> {
    return (await this.inclusions([event], tree))[0]!;
  }

  /** The proofs of several events, with as many reads as one takes. @throws as `inclusion` */
  async inclusions(events: readonly ProvedEvent[], tree: SignedTree): Promise<Buffer[][]> {
    const { partition, size, root } = tree;
    const positions = events.map(({ position }) => position);
    const paths = await this.#sound(tree, () => this.nodes.inclusions(partition, positions, size));
    const unsound = events.find(
      ({ position, leaf }, i) => !provesInclusion(leaf, position - 1n, size, paths[i]!, root),
    );
    if (unsound) this.#refuse(tree, `the path of position ${unsound.position} does not lead to the signed root`);
    return paths;
  }

  /** @throws as `inclusion` */
  async consistency(earlier: bigint, tree: SignedTree): Promise<Buffer[]> {
    const { partition, size, root } = tree;
    return this.#sound(tree, async () => {
      const path = await this.nodes.consistency(partition, earlier, size);
      const before = await this.nodes.root(partition, earlier);
      if (!provesConsistency(earlier, before, size, root, path)) {
        this.#refuse(tree, `the path from size ${earlier} does not lead to the signed root`);
      }
      return path;
    });
  }

  async #sound<T>(tree: SignedTree, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof HistoryAltered)) throw error;
      return this.#refuse(tree, error.problem);
    }
  }

  #refuse({ partition, size }: SignedTree, problem: string): never {
    this.#logger.error(
      { partition, size: String(size), problem },
      'A STORED NODE OF THE TREE WAS ALTERED: no proof is given',
    );
    throw new ProofUnsound();
  }
}

/** 503: stored nodes were changed; `ledger rebuild --projection tree-nodes` rebuilds them. */
class ProofUnsound extends ServiceUnavailable {
  constructor() {
    super('The stored nodes of the tree do not lead to the signed root. The operator has to rebuild them.', 60);
  }
}
