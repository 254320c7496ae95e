import { describe, expect, it } from '@jest/globals';
import { MalformedAnswer, whole } from '../bcb/answer-members.js';
import { readSent, readSentPage } from './messages.js';

const sent = (more: object = {}) => ({
  ...{ idEnvio: '01a1f962d93770019db5cf286c4f56d2', endToEndId: 'E6070119020261120140400000000000' },
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

  it('leaves out what another system sent under an identifier of its own, whatever it lacks', () => {
    const read = readSentPage(page(sent({ idEnvio: 'folha-11', endToEndId: null, valor: undefined }), sent()));
    expect(read.sent).toHaveLength(1);
  });

  it('has the others beside those of ours that are not whole, and tells of these; it proves nothing', () => {
    const read = readSentPage(page(sent({ valor: undefined }), sent({ devolucoes: [null] }), sent()));
    expect(read.sent).toHaveLength(1);
    expect(read.unread).toHaveLength(2);
    expect(() => whole(read)).toThrow(MalformedAnswer);
  });
});

describe('a sent payment', () => {
  it.each([
    ...['7', '\ud800', 'x'.repeat(100_000)].map((e2eId) => ({ endToEndId: undefined, e2eId })),
    ...['', '\ud800', 'a b'].map((rtrId) => ({ devolucoes: [{ rtrId, valor: '1.00', horario: sent().horario }] })),
    { valor: '0.00' },
    { horario: '+275760-09-13T00:00:00.000Z' },
  ])('proves nothing with %j', (more) => {
    expect(() => readSent(sent(more))).toThrow(MalformedAnswer);
  });
});
