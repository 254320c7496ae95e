import { randomBytes } from 'node:crypto';
import { encodeDynamicBrCode } from '../../src/pix/domain/values/br-code.js';
import { makeEndToEndId } from '../../src/pix/domain/values/end-to-end-id.js';
import { formatAmount, parseAmount } from '../../src/platform/money.js';

export interface PspAnswer {
  readonly status: number;
  readonly body?: unknown;
}

export interface PspDevolucao {
  readonly id: string;
  readonly rtrId: string;
  readonly valor: string;
  readonly natureza?: string;
  readonly descricao?: string;
  readonly horario: { readonly solicitacao: string; liquidacao?: string };
  status: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';
  motivo?: string;
}

export interface PspPix {
  readonly endToEndId: string;
  readonly txid?: string;
  readonly valor: string;
  readonly chave: string;
  readonly horario: string;
  readonly devolucoes: PspDevolucao[];
  /** Beyond the standard, as some PSPs tell it. */
  readonly pagador?: { readonly nome: string; readonly cpf: string };
}

export interface PspCob {
  readonly txid: string;
  readonly calendario: { readonly criacao: string; readonly expiracao: number };
  revisao: number;
  status: string;
  readonly location: string;
  readonly pixCopiaECola: string;
  readonly valor: { readonly original: string };
  readonly chave: string;
  readonly [member: string]: unknown;
}

export const PSP_KEY = '5f84a4c5-c5cb-4599-9f13-7eb4d419dacc';
const ISPB = '99999004';
const foreign = (prefix: 'E' | 'D', ispb: string) =>
  makeEndToEndId({ prefix, ispb, at: new Date(), partition: 0, random: randomBytes(8) });

/** What a PSP keeps for a receiver, and the API Pix over it. */
export class PspBooks {
  readonly cobs = new Map<string, PspCob>();
  readonly pix = new Map<string, PspPix>();
  /** CPF or CNPJ of who paid, by EndToEndId: a filter of the list finds by it. */
  readonly documents = new Map<string, string>();
  webhookUrl: string | undefined;
  /** What becomes of a refund at once. */
  refunds: PspDevolucao['status'] = 'DEVOLVIDO';
  /** A PSP may give fewer on a page than it was asked for. */
  mostOnAPage = 1_000;
  /** Some refuse a charge that they have already, instead of revising it. */
  refusesRepetition = false;

  /** Somebody pays a charge by its code, or a key (`null`): ours, or another one of the account. */
  pay(
    txid: string | null,
    { valor, chave = PSP_KEY, pagador }: Partial<Pick<PspPix, 'valor' | 'chave' | 'pagador'>> = {},
  ): PspPix {
    const cob = txid === null ? undefined : this.cobs.get(txid)!;
    const pix: PspPix = {
      endToEndId: foreign('E', '60701190'),
      ...(txid !== null && { txid }),
      valor: valor ?? cob!.valor.original,
      chave,
      horario: new Date().toISOString(),
      ...(pagador && { pagador }),
      devolucoes: [],
    };
    this.pix.set(pix.endToEndId, pix);
    if (cob?.status === 'ATIVA') cob.status = 'CONCLUIDA';
    return pix;
  }

  devolucao(id: string): PspDevolucao | undefined {
    return [...this.pix.values()].flatMap(({ devolucoes }) => devolucoes).find((one) => one.id === id);
  }

  /** A refund that was under way ends. */
  endRefund(id: string, status: 'DEVOLVIDO' | 'NAO_REALIZADO', motivo?: string): void {
    const devolucao = this.devolucao(id)!;
    devolucao.status = status;
    if (motivo !== undefined) devolucao.motivo = motivo;
    if (status === 'DEVOLVIDO') devolucao.horario.liquidacao = new Date().toISOString();
  }

  handle(method: string, path: string, body: any): PspAnswer {
    const [pathname = '', query = ''] = path.split('?');
    const parts = pathname.split('/').slice(1).map(decodeURIComponent);
    switch (`${method} ${parts[0]}${parts[2] ? `/${parts[2]}` : ''}`) {
      case 'PUT cob':
        return this.#putCob(parts[1]!, body);
      case 'PATCH cob':
        return this.#patchCob(parts[1]!, body);
      case 'GET cob':
        return this.#getCob(parts[1]!);
      case 'GET pix':
        return parts[1] === undefined ? this.#list(new URLSearchParams(query)) : this.#getPix(parts[1]);
      case 'PUT pix/devolucao':
        return this.#putDevolucao(parts[1]!, parts[3]!, body);
      case 'GET pix/devolucao': {
        const found = this.pix.get(parts[1]!)?.devolucoes.find(({ id }) => id === parts[3]);
        return found ? { status: 200, body: found } : problem(404, 'PixDevolucaoNaoEncontrada');
      }
      case 'PUT webhook':
        this.webhookUrl = body.webhookUrl;
        return { status: 200 };
      case 'GET webhook':
        return this.webhookUrl === undefined
          ? problem(404, 'WebhookNaoEncontrado')
          : {
              status: 200,
              body: { webhookUrl: this.webhookUrl, cnpj: '11222333000181', criacao: new Date().toISOString() },
            };
      default:
        return problem(404, 'NaoEncontrado');
    }
  }

  #putCob(txid: string, body: any): PspAnswer {
    const known = this.cobs.get(txid);
    if (known && (known.status !== 'ATIVA' || this.refusesRepetition)) return problem(400, 'CobOperacaoInvalida');
    if (body.chave !== PSP_KEY) return problem(400, 'CobOperacaoInvalida', 'cob.chave');
    const location = `pix.psp.example/qr/v2/${randomBytes(16).toString('hex')}`;
    const amount = parseAmount(body.valor.original)!;
    const cob: PspCob = {
      ...body,
      txid,
      calendario: { criacao: new Date().toISOString(), expiracao: body.calendario.expiracao },
      revisao: known ? known.revisao + 1 : 0,
      status: 'ATIVA',
      location: known?.location ?? location,
      loc: { id: 1, txid, location, tipoCob: 'cob', criacao: new Date().toISOString() },
      pixCopiaECola:
        known?.pixCopiaECola ??
        encodeDynamicBrCode({ location, merchantName: 'Recebedor', merchantCity: 'BRASILIA', amount }),
    };
    this.cobs.set(txid, cob);
    return { status: 201, body: cob };
  }

  #patchCob(txid: string, body: any): PspAnswer {
    const cob = this.cobs.get(txid);
    if (!cob) return problem(404, 'CobNaoEncontrado');
    if (cob.status !== 'ATIVA') return problem(400, 'CobOperacaoInvalida');
    cob.status = body.status;
    cob.revisao += 1;
    return { status: 200, body: cob };
  }

  #getCob(txid: string): PspAnswer {
    const cob = this.cobs.get(txid);
    if (!cob) return problem(404, 'CobNaoEncontrado');
    return { status: 200, body: { ...cob, pix: [...this.pix.values()].filter((pix) => pix.txid === txid) } };
  }

  #getPix(endToEndId: string): PspAnswer {
    const pix = this.pix.get(endToEndId);
    return pix ? { status: 200, body: pix } : problem(404, 'PixNaoEncontrado');
  }

  /** Newest first, as no PSP promises another order. */
  #list(query: URLSearchParams): PspAnswer {
    const [inicio, fim] = [query.get('inicio')!, query.get('fim')!];
    const page = Number(query.get('paginacao.paginaAtual') ?? 0);
    const size = Math.min(this.mostOnAPage, Number(query.get('paginacao.itensPorPagina') ?? 100));
    const found = [...this.pix.values()]
      .filter(({ horario }) => new Date(horario) >= new Date(inicio) && new Date(horario) <= new Date(fim))
      .filter(({ devolucoes }) => query.get('devolucaoPresente') !== 'true' || devolucoes.length > 0)
      .filter(({ txid }) => !query.has('txid') || txid === query.get('txid'))
      .filter(({ endToEndId }) => {
        const document = query.get('cpf') ?? query.get('cnpj');
        return document === null || this.documents.get(endToEndId) === document;
      })
      .reverse();
    const paginacao = {
      paginaAtual: page,
      itensPorPagina: size,
      quantidadeDePaginas: Math.max(1, Math.ceil(found.length / size)),
      quantidadeTotalDeItens: found.length,
    };
    return {
      status: 200,
      body: { parametros: { inicio, fim, paginacao }, pix: found.slice(page * size, (page + 1) * size) },
    };
  }

  #putDevolucao(endToEndId: string, id: string, body: any): PspAnswer {
    const pix = this.pix.get(endToEndId);
    if (!pix) return problem(404, 'PixNaoEncontrado');
    const given = pix.devolucoes.filter(({ status }) => status !== 'NAO_REALIZADO');
    const left = given.reduce((rest, { valor }) => rest - parseAmount(valor)!, parseAmount(pix.valor)!);
    const isUsed = pix.devolucoes.some((one) => one.id === id);
    if (isUsed || parseAmount(body.valor)! > left) return problem(400, 'PixDevolucaoInvalida', formatAmount(left));
    const devolucao: PspDevolucao = {
      ...body,
      id,
      rtrId: foreign('D', ISPB),
      horario: { solicitacao: new Date().toISOString() },
      status: 'EM_PROCESSAMENTO',
    };
    pix.devolucoes.push(devolucao);
    if (this.refunds !== 'EM_PROCESSAMENTO') this.endRefund(id, this.refunds, 'AC03');
    return { status: 201, body: devolucao };
  }
}

function problem(status: number, kind: string, razao?: string): PspAnswer {
  const type = `https://pix.bcb.gov.br/api/v2/error/${kind}`;
  const violacoes = razao === undefined ? undefined : [{ razao, propriedade: 'valor' }];
  return { status, body: { type, title: kind, status, ...(violacoes && { violacoes }) } };
}
