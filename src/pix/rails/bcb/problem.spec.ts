import { describe, expect, it } from '@jest/globals';
import { ApiPixRefusal } from './problem.js';

describe('a refusal of the API Pix (RFC 7807)', () => {
  it('is named by its type, and tells what was wrong, in no word that the PSP wrote freely', () => {
    const refusal = ApiPixRefusal.of(400, {
      type: 'https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida',
      title: 'Cobrança inválida.',
      status: 400,
      detail: 'O CPF 52998224725 não respeita o schema.',
      violacoes: [
        { razao: 'o CPF 52998224725 não respeita o schema.', propriedade: 'cob.devedor.cpf', valor: '52998224725' },
        { razao: 'não respeita o schema.', propriedade: 'cob.valor.original' },
        { razao: 'inválida.', propriedade: '52998224725' },
      ],
    });
    expect(refusal).toMatchObject({
      status: 400,
      kind: 'CobOperacaoInvalida',
      message: '400 CobOperacaoInvalida: cob.devedor.cpf, cob.valor.original',
    });
  });

  it.each(['constructor', 'toString'])('that is named %s means what its status does', (name) => {
    const body = { type: `https://pix.bcb.gov.br/api/v2/error/${name}` };
    expect(ApiPixRefusal.of(503, body).meaning).toBe('Unavailable');
    expect(ApiPixRefusal.of(422, body).meaning).toBe('Refused');
  });

  it.each([
    [undefined],
    [null],
    ['<html>'],
    [{}],
    [{ type: 7, violacoes: [null] }],
    [{ type: 'about:' }],
    [{ type: '/c52998224725' }],
  ])('is named by its status where the body says nothing: %j', (body) => {
    expect(ApiPixRefusal.of(422, body)).toMatchObject({ status: 422, kind: 'Http422', message: '422 Http422' });
  });
});
