import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { ApiPixClient } from '../bcb/api-pix-client.js';
import { DAY_MS, nextPosition, parseCursor, toCursor, turned } from '../bcb/list-position.js';
import { readPix, sameAs } from '../bcb/messages.js';
import { ApiPixRefusal } from '../bcb/problem.js';
import type { InfractionRail, OwnReturn, RecoveryOutcome, ReportedInfraction } from '../infraction-rail.js';
import type { RailPage } from '../pix-rail.js';
import { RailUnavailable } from '../rail-errors.js';
import { type InfractionPage, readInfractionPage } from './infraction-messages.js';

const PAGE = '100';
/** The list filters by creation, and an analysis ends days later: seven, and some for the PSP's own. */
const ANALYSIS_DAYS = 15;

/**
 * The PSP analyses reports itself: it lists them (`GET …/infracoes`), and takes a defence (`POST …/defesa`). It gives
 * money back out of the account that it keeps, and lists that with the payment. It opens no recoveries.
 */
@Injectable()
export class EfiInfractionRail implements InfractionRail {
  readonly name = 'efi';
  readonly psp: string;
  readonly capabilities = { receives: true, decidedBy: 'Rail', recovers: false } as const;
  readonly #logger = new Logger('Efí rail');

  constructor(
    private readonly client: ApiPixClient,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.psp = config.efi!.psp;
  }

  async infractionsBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<ReportedInfraction>> {
    const position = parseCursor(cursor, new Date(from.getTime() - ANALYSIS_DAYS * DAY_MS));
    const windowMs = this.config.efi!.queryDays * DAY_MS;
    const end = new Date(Math.min(position.start.getTime() + windowMs, to.getTime()));
    const query = {
      inicio: position.start.toISOString(),
      fim: end.toISOString(),
      'paginacao.paginaAtual': String(position.page),
      'paginacao.itensPorPagina': PAGE,
    };
    const page = turned(position, await this.#page(query));
    const { infractions, unread } = page;
    return { items: infractions, nextCursor: toCursor(nextPosition(position, page, to, windowMs)), unread };
  }

  /**
   * A 409 and a 422 are final: a defence was taken before, or the time for one is over. Any other refusal ends nothing,
   * though the same words may be refused again: the operator is told, until the time is over.
   * @throws RailUnavailable
   */
  async sendDefence(railId: string, text: string): Promise<void> {
    try {
      await this.client.call({
        operation: 'POST gn defesa',
        method: 'POST',
        once: true,
        base: this.config.efi!.ownUrl,
        path: `/infracoes/${encodeURIComponent(railId)}/defesa`,
        body: { analise: 'rejeitado', justificativa: text },
      });
    } catch (error) {
      if (!(error instanceof ApiPixRefusal)) throw error;
      this.#logger.error({ railId, err: error }, 'the PSP refused a defence');
      const isFinal = !error.isBare && (error.status === 409 || error.status === 422);
      if (!isFinal) throw new RailUnavailable(`a defence was not taken: ${error.message}`);
    }
  }

  async close(): Promise<void> {
    throw new RailUnavailable('Efí decides about reports itself');
  }

  async requestRecovery(): Promise<RecoveryOutcome> {
    throw new RailUnavailable('Efí opens no recoveries');
  }

  async queryRecovery(): Promise<RecoveryOutcome> {
    throw new RailUnavailable('Efí opens no recoveries');
  }

  /** Of the payment's `devolucoes`, those that the MED made, and where they have no `natureza`, ours too. */
  async ownReturns(endToEndId: string): Promise<readonly OwnReturn[]> {
    const path = `/pix/${encodeURIComponent(endToEndId)}`;
    try {
      const { payment, devolucoes } = readPix(await this.client.call({ operation: 'GET pix', method: 'GET', path }));
      sameAs(endToEndId, payment, 'endToEndId');
      return devolucoes.flatMap(({ id, amount, nature, status, settledAt }): OwnReturn[] => {
        if (!/^(MED|$)/.test(nature) || status === 'NAO_REALIZADO') return [];
        // Without its time it was given back all the same.
        const made = { returnId: id, amount, at: settledAt ?? new Date() };
        return [status === 'DEVOLVIDO' ? made : { ...made, isUnderWay: true }];
      });
    } catch (error) {
      if (error instanceof ApiPixRefusal)
        throw new RailUnavailable(`the PSP does not give a payment: ${error.message}`);
      throw error;
    }
  }

  async #page(query: Readonly<Record<string, string>>): Promise<InfractionPage> {
    try {
      const base = this.config.efi!.ownUrl;
      return readInfractionPage(
        await this.client.call({ operation: 'GET gn infracoes', method: 'GET', base, path: '/infracoes', query }),
      );
    } catch (error) {
      if (!(error instanceof ApiPixRefusal)) throw error;
      // Some versions answer an empty list so; a bare 404 may be a proxy's.
      if (error.meaning === 'NotFound' && !error.isBare) return { infractions: [], pages: 1, knownBy: '', unread: [] };
      throw new RailUnavailable(`the PSP does not list reports: ${error.message}`);
    }
  }
}
