import { describe, expect, it } from '@jest/globals';
import { MalformedAnswer } from '../bcb/messages.js';
import { readSentPage } from './messages.js';

const sent = (more: object = {}) => ({
  ...{ idEnvio: '7978c0c97ea847e78e8849634473c1f1', endToEndId: 'E6070119020261120140400000000000' },
  ...{ valor: '1.00', status: 'REALIZADO', horario: '2026-11-20T14:00:00.000Z' },
  ...more,
});
const page = (...pix: object[]) => ({ parametros: { paginacao: { quantidadeDePaginas: 1 } }, pix });

describe('a page of sent payments', () => {
  it('leaves out what somebody sent from the account by other means, without an identifier', () => {
    const { idEnvio: _none, ...byHand } = sent({ endToEndId: 'E6070119020261120140400000000001' });
    const read = readSentPage(page(byHand, sent(), { ...byHand, idEnvio: null }));
    expect(read.sent.map(({ endToEndId }) => endToEndId)).toEqual([sent().endToEndId]);
  });

  it('is refused where a payment that has an identifier is not whole', () => {
    expect(() => readSentPage(page(sent({ valor: undefined })))).toThrow(MalformedAnswer);
  });
});
