import { randomBytes, randomUUID } from 'node:crypto';
import { parseBrCode } from '../../src/pix/domain/values/br-code.js';
import { makeEndToEndId } from '../../src/pix/domain/values/end-to-end-id.js';
import { formatAmount, parseAmount } from '../../src/platform/money.js';
import { type PspAnswer, PspBooks, type PspDevolucao } from './model-psp-books.js';

export interface EfiSent {
  readonly endToEndId: string;
  readonly idEnvio: string;
  readonly valor: string;
  readonly body: any;
  readonly horario: { readonly solicitacao: string; liquidacao?: string };
  status: 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO';
  erro?: { codigo: string; origem: string; motivo: string };
  readonly devolucoes: { readonly rtrId: string; readonly valor: string; readonly horario: string }[];
}

/** What a stand-in does with the payments that it takes; set from outside. */
export interface EfiBehaviour {
  /** The end of a payment, or none until it is told. */
  ends: 'REALIZADO' | 'NAO_REALIZADO' | 'hold';
  /** So long after it was taken. */
  endsAfterMs: number;
  /** Look-ups that do not find a payment yet, for each payment. */
  lag: number;
  /** One in so many payments does not take place, whatever `ends` says; 0 is none. */
  failsOneIn: number;
  /** Both readings of its documents are answered: the SDK's own schemas, or the documentation's. */
  reading: 'sdk' | 'docs';
}

/** Who paid, as the PSP's callbacks tell it. */
export interface EfiPayer {
  readonly nome?: string;
  readonly cpf?: string;
  readonly cnpj?: string;
  readonly codigoBanco?: string;
}

/** What it takes for each payment that comes in. */
const FEE = '0.01';

/** Whose keys are somebody's, in the stand-in's DICT; every other belongs to whoever is named. */
export const KEYS = { nobody: 'nobody@example.com', another: 'another@example.com' } as const;
export const REFUSED_AMOUNT = '42.22';

const WORDS: Readonly<Record<string, string>> = {
  CobNaoEncontrado: 'cobranca_nao_encontrada',
  PixNaoEncontrado: 'pix_nao_encontrado',
  PixDevolucaoNaoEncontrada: 'devolucao_nao_encontrada',
  WebhookNaoEncontrado: 'webhook_nao_encontrado',
};
const foreign = (prefix: 'E' | 'D', ispb: string) =>
  makeEndToEndId({ prefix, ispb, at: new Date(), partition: 0, random: randomBytes(8) });

/** What Efí keeps for an account: the API Pix with its own "not found", and what was sent. */
export class EfiBooks {
  readonly received = new PspBooks();
  readonly sent = new Map<string, EfiSent>();
  readonly behaviour: EfiBehaviour = { ends: 'REALIZADO', endsAfterMs: 0, lag: 0, failsOneIn: 0, reading: 'docs' };
  /** Told of each end and return. */
  onChange: (sent: EfiSent) => void = () => undefined;
  /** The account's settings, `GET` and `PUT /v2/gn/config`. */
  config: any = { pix: { receberSemChave: true } };
  /** In homologation it stays as it is told; otherwise what came in, less what went out. */
  saldo: string | undefined;
  /** Reports about what came in. */
  readonly infractions = new Map<string, any>();
  readonly #payers = new Map<string, EfiPayer>();
  readonly #lookedFor = new Map<string, number>();
  /** Payments under way at once, and the most there were. */
  underWay = 0;
  mostUnderWay = 0;
  readonly order: string[] = [];

  /** @param path under the host, such as `/v2/cob/…` */
  handle(method: string, path: string, body: any): PspAnswer {
    const [pathname = '', query = ''] = path.split('?');
    if (/^\/v[23]\/gn\/pix\/[^/]+$/.test(pathname) && method === 'PUT') {
      return this.#send(decodeURIComponent(pathname.split('/')[4]!), body);
    }
    const byCode = /^\/v2\/gn\/pix\/([^/]+)\/qrcode$/.exec(pathname);
    if (byCode && method === 'PUT') return this.#payCode(decodeURIComponent(byCode[1]!), body);
    if (method === 'GET' && pathname.startsWith('/v2/gn/pix/enviados/id-envio/')) {
      return this.#found(decodeURIComponent(pathname.split('/')[6]!));
    }
    if (method === 'GET' && pathname.startsWith('/v2/gn/pix/enviados/')) {
      const endToEndId = decodeURIComponent(pathname.split('/')[5]!);
      return this.#found([...this.sent.values()].find((one) => one.endToEndId === endToEndId)?.idEnvio ?? '');
    }
    if (method === 'GET' && pathname === '/v2/gn/pix/enviados') return this.#list(new URLSearchParams(query));
    if (method === 'GET' && pathname === '/v2/gn/saldo')
      return { status: 200, body: { saldo: this.saldo ?? this.#balance() } };
    if (pathname === '/v2/gn/config') {
      if (method === 'PUT') this.config = body;
      return method === 'PUT' ? { status: 204 } : { status: 200, body: this.config };
    }
    if (pathname.startsWith('/v2/gn/infracoes')) return this.#infractions(method, pathname, query, body);
    const one = /^\/v2\/pix\/([^/]+)$/.exec(pathname);
    if (one && method === 'GET') {
      const pix = this.received.pix.get(decodeURIComponent(one[1]!));
      return pix ? { status: 200, body: this.#withBank(pix, query) } : word(400, 'pix_nao_encontrado');
    }
    if (!/^\/v2\/(cob|pix|webhook)(\/|$)/.test(pathname)) return word(404, 'nao_encontrado');
    if (method === 'PUT' && pathname.includes('/devolucao/')) {
      if (this.received.devolucao(pathname.split('/').at(-1)!)) return word(409, 'devolucao_id_duplicado');
      this.received.refunds = 'EM_PROCESSAMENTO';
    }
    const answer = this.received.handle(method, path.slice('/v2'.length), body);
    const [, , resource, name, sub, id] = pathname.split('/');
    if (answer.status < 400 && resource === 'webhook') {
      return { status: 200, body: { ...(answer.body as object), chave: name, webhookUrl: this.received.webhookUrl } };
    }
    const { pix } = (answer.body ?? {}) as { pix?: { chave: string }[] };
    if (method === 'GET' && resource === 'cob' && pix) {
      // The payments of a charge do not say its key again.
      const without = pix.map(({ chave: _key, ...one }) => one);
      return { status: 200, body: { ...(answer.body as object), pix: without } };
    }
    if (method === 'GET' && resource === 'pix' && pix) {
      return { status: 200, body: { ...(answer.body as object), pix: pix.map((one) => this.#withBank(one, query)) } };
    }
    if (answer.status === 201 && sub === 'devolucao') {
      setTimeout(() => this.received.endRefund(id!, 'DEVOLVIDO'));
      return structuredClone(answer);
    }
    const kind = /\/([A-Za-z]+)$/.exec((answer.body as { type?: string } | undefined)?.type ?? '')?.[1] ?? '';
    const own = answer.status >= 400 ? WORDS[kind] : undefined;
    return own ? word(400, own) : answer;
  }

  /**
   * @returns `null` where the PSP refuses the payer, because the charge names another and the account wants them equal
   */
  pay(txid: string | null, { payer, ...more }: { payer?: EfiPayer } = {}) {
    const { devedor, chave } = (txid === null ? {} : this.received.cobs.get(txid)) as any;
    const mustBeEqual = this.#settingsOf(chave)?.recebimento?.documentoPagadorIgualDevedor;
    const document = payer?.cpf ?? payer?.cnpj;
    if (devedor && mustBeEqual && (devedor.cpf ?? devedor.cnpj) !== document) return null;
    const pix = this.received.pay(txid, more);
    if (payer) this.#payers.set(pix.endToEndId, payer);
    if (document) this.received.documents.set(pix.endToEndId, document);
    return pix;
  }

  /** As the callback tells of what came in. */
  receivedCallbackOf(endToEndId: string): object {
    const pix = this.received.pix.get(endToEndId)!;
    const pagador = this.#payers.get(endToEndId);
    const { pagador: isOn, tarifa } = this.#settingsOf(pix.chave)?.recebimento?.webhook?.notificacao ?? {};
    const gnExtras = { ...(isOn && pagador && { pagador }), ...(tarifa && { tarifa: FEE }) };
    return { ...pix, ...(Object.keys(gnExtras).length > 0 && { gnExtras }) };
  }

  /** Of the payer it tells the bank alone, and only where it is asked to. */
  #withBank<T extends object>(pix: T, query: string): T {
    const { codigoBanco } = this.#payers.get((pix as { endToEndId?: string }).endToEndId ?? '') ?? {};
    const isAsked = new URLSearchParams(query).get('exibirCodigoBanco') === 'true';
    return isAsked && codigoBanco ? { ...pix, pagador: { contaBanco: { codigoBanco } } } : pix;
  }

  #settingsOf(chave = ''): any {
    return this.config.pix.chaves?.[chave];
  }

  /** Centavos: what came in and stayed, less what went out and did not come back, less its fees. */
  #balance(): string {
    const sum = (amounts: readonly string[]) => amounts.reduce((total, one) => total + parseAmount(one)!, 0n);
    const received = [...this.received.pix.values()];
    const paid = [...this.sent.values()].filter(({ status }) => status !== 'NAO_REALIZADO');
    const fees = this.#settingsOf(received[0]?.chave)?.recebimento?.webhook?.notificacao?.tarifa ? received.length : 0;
    const balance =
      sum(received.map(({ valor }) => valor)) -
      sum(
        received.flatMap(({ devolucoes }) =>
          devolucoes.filter(({ status }) => status !== 'NAO_REALIZADO').map(({ valor }) => valor),
        ),
      ) -
      sum(paid.map(({ valor }) => valor)) +
      sum(paid.flatMap(({ devolucoes }) => devolucoes.map(({ valor }) => valor))) -
      parseAmount(FEE)! * BigInt(fees);
    return balance < 0n ? `-${formatAmount(-balance)}` : formatAmount(balance);
  }

  /** A payer's institution reports a payment that came in. @returns `idInfracao` */
  report(endToEndId: string, valor: number): string {
    const idInfracao = randomUUID();
    const now = new Date();
    const party = { nomeParticipante: 'Banco', conta: 1, nome: 'Fulano', documento: '***' };
    this.infractions.set(idInfracao, {
      idInfracao,
      endToEndId,
      protocolo: this.infractions.size + 1,
      dataTransacao: now.toISOString(),
      valor,
      status: 'ABERTA',
      razao: 'solicitação de devolução',
      tipoSituacao: 'golpe',
      comentario: 'Nunca chegou',
      identificadorTicket: [1],
      dadosAnalise: {
        abertura: now.toISOString(),
        prazoFinalizacao: new Date(now.getTime() + 7 * 24 * 60 * 60 * 1000).toISOString(),
      },
      origem: party,
      destino: party,
      criadoEm: now.toISOString(),
      atualizadoEm: now.toISOString(),
    });
    return idInfracao;
  }

  /** The PSP gives money of a payment back by itself, as the MED has it: told as it tells of refunds. */
  giveBack(endToEndId: string, valor: string, status: PspDevolucao['status']): void {
    const now = new Date().toISOString();
    this.received.pix.get(endToEndId)!.devolucoes.push({
      id: `med${randomUUID().replaceAll('-', '')}`,
      rtrId: foreign('D', '09089356'),
      valor,
      horario: { solicitacao: now },
      status,
    });
  }

  /** What it has begun to give back of a payment is back. */
  endGivingBack(endToEndId: string): void {
    for (const one of this.received.pix.get(endToEndId)!.devolucoes) one.status = 'DEVOLVIDO';
  }

  /** As another account at the same PSP answers: it does not have the payment. */
  forget(endToEndId: string): void {
    this.received.pix.delete(endToEndId);
  }

  #infractions(method: string, pathname: string, query: string, body: any): PspAnswer {
    const defended = /^\/v2\/gn\/infracoes\/([^/]+)\/defesa$/.exec(pathname);
    if (defended && method === 'POST') {
      const infraction = this.infractions.get(decodeURIComponent(defended[1]!));
      if (infraction?.status !== 'ABERTA') return word(409, 'infracao_nao_esta_aberta');
      if (body?.analise !== 'rejeitado' || typeof body.justificativa !== 'string') return word(400, 'valor_invalido');
      Object.assign(infraction, { status: 'EM_DEFESA', defesa: body.justificativa });
      return { status: 201 };
    }
    if (method !== 'GET' || pathname !== '/v2/gn/infracoes') return word(404, 'nao_encontrado');
    const [inicio, fim] = ['inicio', 'fim'].map((name) => new URLSearchParams(query).get(name)!);
    const infracoes = [...this.infractions.values()].filter(({ criadoEm }) => criadoEm >= inicio! && criadoEm <= fim!);
    const paginacao = {
      paginaAtual: 0,
      itensPorPagina: 100,
      quantidadeDePaginas: 1,
      quantidadeTotalDeItens: infracoes.length,
    };
    return { status: 200, body: { parametros: { inicio, fim, paginacao }, infracoes } };
  }

  /** Ends a payment that is under way. */
  end(idEnvio: string, status: 'REALIZADO' | 'NAO_REALIZADO', codigo = 'AC03'): void {
    const sent = this.sent.get(idEnvio)!;
    if (sent.status !== 'EM_PROCESSAMENTO') return;
    sent.status = status;
    this.underWay -= 1;
    if (status === 'REALIZADO') sent.horario.liquidacao = new Date().toISOString();
    else sent.erro = { codigo, origem: 'RECEBEDOR', motivo: 'Conta inexistente' };
    this.onChange(sent);
  }

  /** The payee's bank sends money back. */
  sendBack(idEnvio: string, valor: string): void {
    const sent = this.sent.get(idEnvio)!;
    sent.devolucoes.push({ rtrId: foreign('D', '60701190'), valor, horario: new Date().toISOString() });
    this.onChange(sent);
  }

  /** As its callback tells of it. */
  callbackOf({ endToEndId, body, status, valor, horario, idEnvio, erro, devolucoes }: EfiSent): object {
    return {
      endToEndId,
      chave: body.pagador.chave,
      tipo: 'SOLICITACAO',
      status,
      valor,
      horario: horario.liquidacao ?? null,
      gnExtras: { idEnvio, ...(erro && { erro }) },
      ...(devolucoes.length > 0 && { devolucoes }),
    };
  }

  #send(idEnvio: string, body: any): PspAnswer {
    if (!/^[a-zA-Z0-9]{1,35}$/.test(idEnvio)) return word(400, 'valor_invalido');
    if (this.sent.has(idEnvio)) return word(409, 'id_envio_duplicado');
    const refusal = refusalOf(body, this.received);
    if (refusal) return refusal;
    const sent: EfiSent = {
      endToEndId: foreign('E', '09089356'),
      idEnvio,
      valor: body.valor,
      body,
      horario: { solicitacao: new Date().toISOString() },
      status: 'EM_PROCESSAMENTO',
      devolucoes: [],
    };
    this.sent.set(idEnvio, sent);
    this.order.push(idEnvio);
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    const { ends, endsAfterMs, failsOneIn, reading } = this.behaviour;
    const fails = failsOneIn > 0 && this.sent.size % failsOneIn === 0;
    if (ends !== 'hold') setTimeout(() => this.end(idEnvio, fails ? 'NAO_REALIZADO' : ends), endsAfterMs);
    const name = reading === 'sdk' ? { endToEndId: sent.endToEndId } : { e2eId: sent.endToEndId };
    return {
      status: 201,
      body: { idEnvio, ...name, valor: sent.valor, horario: { ...sent.horario }, status: 'EM_PROCESSAMENTO' },
    };
  }

  /** The amount is the code's own: there is no place for another. */
  #payCode(idEnvio: string, { pagador, pixCopiaECola }: any): PspAnswer {
    const { amount, ...code } = parseBrCode(pixCopiaECola);
    if (!amount || code.kind === 'Recurrence') return word(400, 'qr_code_invalido');
    const chave = code.kind === 'Static' ? code.key : 'charge@example.com';
    return this.#send(idEnvio, { valor: formatAmount(amount), pagador, pixCopiaECola, favorecido: { chave } });
  }

  #found(idEnvio: string): PspAnswer {
    const sent = this.sent.get(idEnvio);
    const looked = (this.#lookedFor.get(idEnvio) ?? 0) + 1;
    if (sent) this.#lookedFor.set(idEnvio, looked);
    if (sent && looked > this.behaviour.lag) return { status: 200, body: this.#shown(sent) };
    const type = 'https://pix.bcb.gov.br/api/v2/error/PixEnviadoNaoEncontrado';
    return { status: 404, body: { type, title: 'Pix enviado não encontrado', status: 404, detail: idEnvio } };
  }

  #shown({ endToEndId, idEnvio, valor, body, status, horario, devolucoes }: EfiSent): object {
    const { chave, contaBanco } = body.favorecido;
    const identificacao = this.behaviour.reading === 'docs' && {
      identificacao: { nome: 'Quem Recebe', cpf: '***.982.247-**' },
    };
    const { codigoBanco: _told, ...conta } = contaBanco ?? {};
    return {
      endToEndId,
      idEnvio,
      valor,
      chave: body.pagador.chave,
      status,
      ...(body.pagador.infoPagador && { infoPagador: body.pagador.infoPagador }),
      horario: { ...horario },
      favorecido: chave ? { chave, ...identificacao } : { contaBanco: conta },
      ...(devolucoes.length > 0 && { devolucoes }),
    };
  }

  #list(query: URLSearchParams): PspAnswer {
    const [inicio, fim] = [query.get('inicio')!, query.get('fim')!];
    const page = Number(query.get('paginacao.paginaAtual') ?? 0);
    const size = Number(query.get('paginacao.itensPorPagina') ?? 100);
    const found = [...this.sent.values()]
      .filter(({ horario }) => horario.solicitacao >= inicio && horario.solicitacao <= fim)
      .filter(({ status }) => !query.has('status') || status === query.get('status'))
      .filter(({ devolucoes }) => query.get('devolucaoPresente') !== 'true' || devolucoes.length > 0)
      .reverse();
    if (found.length === 0 && this.behaviour.reading === 'docs') return this.#found('');
    const paginacao = {
      paginaAtual: page,
      itensPorPagina: size,
      quantidadeDePaginas: Math.max(1, Math.ceil(found.length / size)),
      quantidadeTotalDeItens: found.length,
    };
    const pix = found.slice(page * size, (page + 1) * size).map((one) => this.#shown(one));
    return { status: 200, body: { parametros: { inicio, fim, paginacao }, pix } };
  }
}

function refusalOf({ valor, pagador, favorecido }: any, received: PspBooks): PspAnswer | undefined {
  const amount = parseAmount(valor ?? '');
  if (amount === undefined || amount <= 0n || formatAmount(amount) !== valor) return word(400, 'valor_invalido');
  if (!received.webhookUrl || !pagador?.chave) return word(400, 'chave_invalida');
  if (valor === REFUSED_AMOUNT) return word(422, 'pagamento_negado');
  const { chave, contaBanco } = favorecido ?? {};
  if (chave === KEYS.nobody) return word(404, 'chave_favorecido_nao_encontrada');
  if (chave === KEYS.another) return word(400, 'chave_nao_pertence_ao_documento');
  if (chave) return undefined;
  const { nome, codigoBanco, agencia, conta, tipoConta } = contaBanco ?? {};
  const isSound =
    nome &&
    /^[0-9A-Z]{8}$/.test(codigoBanco) &&
    /^\d{1,4}$/.test(agencia) &&
    /^\d+$/.test(conta) &&
    tipoConta !== 'slry';
  return isSound ? undefined : word(400, 'valor_invalido');
}

function word(status: number, nome: string): PspAnswer {
  return { status, body: { nome, mensagem: `${nome} (stand-in)` } };
}
