/**
 * What a larger machine would do, by the costs that were measured on a small one: a discrete-event simulation of
 * connections that send as soon as they are answered, workers that share the cores with PostgreSQL, and partitions
 * whose commits follow one another. `node bench/simulate.ts` prints the table of docs/scale.md.
 */
interface Costs {
  /**
   * Processor time in microseconds: HTTP, token, body and answer of a transfer, in the worker that has the connection.
   */
  readonly http: number;
  /** Handing a command to another worker and back, on either side. */
  readonly hop: number;
  /** Deciding and writing a transfer, and what follows it, in the worker that owns the partition. */
  readonly own: number;
  /** The same for each batch, however small. */
  readonly batch: number;
  /** PostgreSQL: for a transfer, and for a batch. */
  readonly row: number;
  readonly commit: number;
  /** Waiting for the disk, for each commit: no processor time. */
  readonly disk: number;
}

interface Machine {
  readonly cores: number;
  readonly workers: number;
  readonly owners: number;
  readonly partitions: number;
  readonly connections: number;
}

/** Measured: see docs/scale.md. */
const COSTS: Costs = { http: 98, hop: 6, own: 51, batch: 400, row: 84, commit: 700, disk: 500 };
const MOST = 256;
const UNTIL_US = 2_000_000;

/** A heap of what happens next. */
class Agenda {
  readonly #events: { at: number; run: () => void }[] = [];
  now = 0;

  after(us: number, run: () => void): void {
    const event = { at: this.now + us, run };
    let i = this.#events.push(event) - 1;
    for (let up = (i - 1) >> 1; i > 0 && this.#events[up]!.at > event.at; i = up, up = (i - 1) >> 1) this.#swap(i, up);
  }

  next(): boolean {
    const [first] = this.#events;
    if (!first) return false;
    const last = this.#events.pop()!;
    if (this.#events.length > 0) this.#sift(last);
    this.now = first.at;
    first.run();
    return true;
  }

  #sift(event: { at: number; run: () => void }): void {
    let i = 0;
    this.#events[0] = event;
    for (;;) {
      const [left, right] = [2 * i + 1, 2 * i + 2];
      let least = i;
      if (left < this.#events.length && this.#events[left]!.at < this.#events[least]!.at) least = left;
      if (right < this.#events.length && this.#events[right]!.at < this.#events[least]!.at) least = right;
      if (least === i) return;
      this.#swap(i, least);
      i = least;
    }
  }

  #swap(i: number, j: number): void {
    [this.#events[i], this.#events[j]] = [this.#events[j]!, this.#events[i]!];
  }
}

/** So many at once; the others wait in their order. */
class Places {
  #free: number;
  readonly #queue: (() => void)[] = [];
  /** Microseconds that places were taken, in all. */
  used = 0;

  constructor(count: number) {
    this.#free = count;
  }

  /** @param work called with a place; it gives the place back after so many microseconds of use */
  take(work: (giveBack: (us: number) => void) => void): void {
    const start = () =>
      work((us) => {
        this.used += us;
        const next = this.#queue.shift();
        if (next) next();
        else this.#free += 1;
      });
    if (this.#free === 0) return void this.#queue.push(start);
    this.#free -= 1;
    start();
  }
}

interface Result {
  readonly perSecond: number;
  readonly batch: number;
  readonly meanMs: number;
  /** Shares of their time: the busiest worker, and all cores. */
  readonly busiest: number;
  readonly cores: number;
}

function simulate({ cores, workers, owners, partitions, connections }: Machine, costs = COSTS): Result {
  const agenda = new Agenda();
  const machine = new Places(cores);
  const compute = (us: number, then: () => void) =>
    machine.take((giveBack) =>
      agenda.after(us, () => {
        giveBack(us);
        then();
      }),
    );
  // A worker is one thread: it waits for itself, and then for a core.
  const threads = Array.from({ length: workers }, () => new Places(1));
  const work = (worker: number, cost: () => number, then: () => void) =>
    threads[worker]!.take((giveBack) => {
      const us = cost();
      compute(us, () => {
        giveBack(us);
        then();
      });
    });
  const waiting = Array.from({ length: partitions }, () => [] as (() => void)[]);
  const writing = new Set<number>();
  let [done, batches, seed] = [0, 0, 1];
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;

  const write = (partition: number) => {
    if (writing.has(partition) || waiting[partition]!.length === 0) return;
    writing.add(partition);
    let batch: (() => void)[] = [];
    // What has gathered when its turn comes.
    const gather = () => {
      batch = waiting[partition]!.splice(0, MOST);
      return costs.batch + costs.own * batch.length;
    };
    work((partition % owners) % workers, gather, () =>
      compute(costs.commit + costs.row * batch.length, () =>
        agenda.after(costs.disk, () => {
          batches += 1;
          writing.delete(partition);
          batch.forEach((answer) => answer());
          write(partition);
        }),
      ),
    );
  };
  const send = (worker: number) => {
    const partition = random(partitions);
    const isForeign = (partition % owners) % workers !== worker;
    work(
      worker,
      () => costs.http + (isForeign ? costs.hop : 0),
      () => {
        waiting[partition]!.push(() => {
          done += 1;
          send(worker);
        });
        write(partition);
      },
    );
  };
  for (let i = 0; i < connections; i++) send(i % workers);
  while (agenda.now < UNTIL_US && agenda.next());
  const seconds = agenda.now / 1e6;
  return {
    perSecond: done / seconds,
    batch: done / batches,
    meanMs: (connections * seconds * 1_000) / done,
    busiest: Math.max(...threads.map(({ used }) => used)) / agenda.now,
    cores: machine.used / agenda.now / cores,
  };
}

const machines: Machine[] = [
  { cores: 2, workers: 1, owners: 1, partitions: 2, connections: 128 },
  { cores: 2, workers: 2, owners: 1, partitions: 2, connections: 128 },
  { cores: 4, workers: 2, owners: 1, partitions: 4, connections: 256 },
  { cores: 8, workers: 4, owners: 2, partitions: 8, connections: 512 },
  { cores: 16, workers: 8, owners: 4, partitions: 16, connections: 1_024 },
  { cores: 64, workers: 32, owners: 16, partitions: 64, connections: 4_096 },
];
console.table(
  machines.map((machine) => {
    const { perSecond, batch, meanMs, busiest, cores } = simulate(machine);
    return {
      ...machine,
      'per second': Math.round(perSecond),
      'in a batch': Math.round(batch),
      'mean ms': Number(meanMs.toFixed(1)),
      'busiest worker': Number(busiest.toFixed(2)),
      'all cores': Number(cores.toFixed(2)),
    };
  }),
);
