import { connect, type Socket } from 'node:net';

/** One request and what became of it. */
export interface Shot {
  /** Milliseconds after the start at which it was sent. */
  readonly sentAt: number;
  /** HTTP status; 0 where the connection broke. */
  readonly status: number;
  readonly retryAfter: boolean;
  readonly ms: number;
}

const TICK_MS = 5;
const HEAD_END = '\r\n\r\n';

/**
 * Sends requests at a fixed rate whatever becomes of those before ("open loop"), as many callers do who know nothing of
 * one another. Every request that is not answered yet has a connection of its own.
 */
export class OpenLoop {
  readonly #idle: Socket[] = [];
  readonly #all = new Set<Socket>();
  #sent = 0;

  constructor(
    private readonly url: URL,
    private readonly requestOf: (n: number) => { path: string; token: string; body: string },
  ) {}

  /** Resolves with every shot when the last one is answered. */
  async run(perSecond: number, seconds: number): Promise<Shot[]> {
    const started = performance.now();
    const shots: Promise<Shot>[] = [];
    for (;;) {
      const elapsed = performance.now() - started;
      const due = Math.floor((Math.min(elapsed, seconds * 1000) / 1000) * perSecond);
      while (shots.length < due) shots.push(this.#shoot(elapsed));
      if (elapsed >= seconds * 1000) break;
      await new Promise((resume) => setTimeout(resume, TICK_MS));
    }
    return Promise.all(shots);
  }

  close(): void {
    this.#all.forEach((socket) => socket.destroy());
  }

  #shoot(sentAt: number): Promise<Shot> {
    const socket = this.#idle.pop() ?? this.#open();
    const began = performance.now();
    this.#sent += 1;
    const { path, token, body } = this.requestOf(this.#sent);
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${this.url.host}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return new Promise((resolve) => {
      let text = '';
      const end = (status: number, retryAfter: boolean) => {
        socket.off('data', take).off('close', lost);
        resolve({ sentAt, status, retryAfter, ms: performance.now() - began });
      };
      const lost = () => end(0, false);
      const take = (chunk: Buffer) => {
        text += chunk.toString('latin1');
        const at = text.indexOf(HEAD_END);
        if (at < 0) return;
        const answer = text.slice(0, at).toLowerCase();
        const length = Number(/content-length: (\d+)/.exec(answer)?.[1] ?? 0);
        if (text.length < at + HEAD_END.length + length) return;
        if (/connection: close/.test(answer)) socket.destroy();
        else this.#idle.push(socket);
        end(Number(answer.slice(9, 12)), answer.includes('retry-after:'));
      };
      socket.on('data', take).once('close', lost);
      socket.write(`${head.join('\r\n')}${HEAD_END}${body}`);
    });
  }

  #open(): Socket {
    const socket = connect(Number(this.url.port), this.url.hostname);
    this.#all.add(socket);
    socket.setNoDelay(true);
    socket.setMaxListeners(0);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#all.delete(socket);
      const at = this.#idle.indexOf(socket);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return socket;
  }
}

/** The time that all but the slowest `1 - share` stay under. */
export function quantile(shots: readonly Shot[], share: number): number {
  const sorted = shots.map(({ ms }) => ms).sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
