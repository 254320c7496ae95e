import { FIRST_LIMIT, Flow } from './flow.js';

/** Origins, and addresses, kept for one partner: many more than it can have attempts under way. */
const MAX_FLOWS = 512;
/** How long a delivery without room is postponed. */
const NO_ROOM_MS = 100;

/** The receiver of a delivery: by partner, origin and address. */
export interface Destination {
  readonly partnerUid: string;
  /** Partner and origin. */
  readonly originKey: string;
  /** The URL without its query. */
  readonly address: string;
}

/** Room for one attempt. */
export interface Pass {
  /**
   * Ends the attempt. `alive`: whether the receiver works; `undefined` for an inconclusive attempt.
   * @returns `dead`: this attempt opened the origin's circuit, or was a probe that did not close it; `wasFull`: there
   * was no room before, so more deliveries may wait
   */
  leave(alive: boolean | undefined): { readonly dead: boolean; readonly wasFull: boolean };
}

/** An open circuit, in wall-clock time. */
export interface OpenCircuit {
  readonly since: Date;
  /** `null` while a probe is in progress. */
  readonly nextProbeAt: Date | null;
}

export interface NoRoom {
  readonly notFor: number;
  readonly dead: boolean;
}

/** Deliveries that may be claimed now, by origin key; `otherOrigins` is for the rest. */
export interface Allowances {
  readonly origins: ReadonlyMap<string, number>;
  readonly otherOrigins: number;
}

interface Receivers {
  readonly origins: Map<string, Flow>;
  readonly addresses: Map<string, Flow>;
}

/**
 * Limits the concurrency of receivers within a partner's share, so that a slow or dead one harms only itself: by origin
 * (a partner's deliveries to an origin) and by address (of many on one origin, one may be dead). State is kept by
 * partner: failures of another partner's deliveries to the same origin have no effect here, and a partner with many
 * receivers evicts only its own.
 */
export class Gate {
  readonly #partners = new Map<string, Receivers>();

  /**
   * @param perOrigin concurrent attempts of one partner to one origin
   * @param clock milliseconds
   */
  constructor(
    private readonly perOrigin: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  allowances(): Allowances {
    const now = this.clock();
    const origins = new Map<string, number>();
    for (const partner of this.#partners.values()) {
      for (const [originKey, flow] of partner.origins) {
        const free = flow.free(now);
        // An idle origin with the default room is not listed.
        if (!flow.idle || free < FIRST_LIMIT) origins.set(originKey, free);
      }
    }
    return { origins, otherOrigins: FIRST_LIMIT };
  }

  /** Room for an attempt, or the milliseconds to wait, and whether the address's circuit is open. */
  enter({ partnerUid, originKey, address }: Destination): Pass | NoRoom {
    const now = this.clock();
    const { origins, addresses } = this.#receiversOf(partnerUid);
    const byOrigin = flowOf(origins, originKey, this.perOrigin);
    const byAddress = flowOf(addresses, address, this.perOrigin);
    // A probe of the origin is one of the address too: two independent timers would never coincide.
    if (!byOrigin.circuit.open && byAddress.circuit.open && byAddress.free(now) === 0) {
      const wait = byAddress.circuit.probeAt! - now;
      return { notFor: Number.isFinite(wait) ? Math.max(wait, NO_ROOM_MS) : NO_ROOM_MS, dead: true };
    }
    if (byOrigin.free(now) === 0) return { notFor: NO_ROOM_MS, dead: false };
    // Not before an attempt under way may have ended: else the backlog of a slow address is postponed all the time.
    if (!byOrigin.circuit.open && byAddress.free(now) === 0) {
      return { notFor: Math.max(NO_ROOM_MS, byAddress.takes), dead: false };
    }
    const isProbe = byOrigin.circuit.open;
    const ofDeadAddress = !isProbe && byAddress.circuit.open;
    byOrigin.begin(now);
    byAddress.begin(now);
    return {
      leave: (alive) => {
        const at = this.clock();
        const wasFull = byOrigin.free(at) === 0;
        const wasOpen = byOrigin.circuit.open;
        // What a dead address does is known: it says nothing of the origin's others.
        byOrigin.end(ofDeadAddress && alive === false ? undefined : alive, at, at - now);
        byAddress.end(alive, at, at - now);
        return { dead: byOrigin.circuit.open && (isProbe || !wasOpen), wasFull };
      },
    };
  }

  /** Admits the next probe of an origin and an address at once: a redelivery was requested. */
  hurry({ partnerUid, originKey, address }: Destination): void {
    const receivers = this.#partners.get(partnerUid);
    receivers?.origins.get(originKey)?.circuit.hurry(this.clock());
    receivers?.addresses.get(address)?.circuit.hurry(this.clock());
  }

  /** The open circuit of a destination: the origin's before the address's; `null` for none. */
  circuitOf({ partnerUid, originKey, address }: Destination): OpenCircuit | null {
    const receivers = this.#partners.get(partnerUid);
    const flows = [receivers?.origins.get(originKey), receivers?.addresses.get(address)];
    const circuit = flows.find((flow) => flow?.circuit.open)?.circuit;
    if (!circuit) return null;
    const { since, probeAt } = circuit;
    const ago = Date.now() - this.clock();
    return {
      since: new Date(ago + since),
      nextProbeAt: Number.isFinite(probeAt) ? new Date(ago + probeAt!) : null,
    };
  }

  /** Numbers of open circuits, by origin and by address. */
  openCircuits(): { readonly origins: number; readonly addresses: number } {
    const open = (flows: Map<string, Flow>) => [...flows.values()].filter((flow) => flow.circuit.open).length;
    const count = { origins: 0, addresses: 0 };
    for (const { origins, addresses } of this.#partners.values()) {
      count.origins += open(origins);
      count.addresses += open(addresses);
    }
    return count;
  }

  #receiversOf(partnerUid: string): Receivers {
    let receivers = this.#partners.get(partnerUid);
    if (!receivers) this.#partners.set(partnerUid, (receivers = { origins: new Map(), addresses: new Map() }));
    return receivers;
  }
}

function flowOf(flows: Map<string, Flow>, key: string, most: number): Flow {
  let flow = flows.get(key);
  if (!flow) {
    if (flows.size >= MAX_FLOWS) evict(flows);
    flow = new Flow(most);
    flows.set(key, flow);
  }
  return flow;
}

/** Evicts half of them: idle ones first, the least recently used first. */
function evict(flows: Map<string, Flow>): void {
  const unused = [...flows].filter(([, flow]) => flow.inFlight === 0);
  unused.sort(([, a], [, b]) => Number(b.idle) - Number(a.idle) || a.usedAt - b.usedAt);
  for (const [key] of unused.slice(0, MAX_FLOWS / 2)) flows.delete(key);
}
