import { describe, expect, it } from '@jest/globals';
import { pdfText } from '../../../../test/support/pdf-text.js';
import { brazilianAmount, type Receipt } from './receipt.js';
import { receiptPdf } from './receipt-pdf.js';

const receipt: Receipt = {
  transactionId: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
  endToEndId: 'E12345678202611201200001abcdefgh',
  amount: 123_456_789n,
  completedAt: new Date('2026-11-20T02:04:05.678Z'),
  orderId: 'pedido-1',
  kind: 'Payment',
  payer: { name: 'Loja São João Ltda', taxNumber: '12ABC34501DE35', ispb: '12345678' },
  recipient: { name: 'Conceição Araújo', taxNumber: '52998224725', ispb: '87654321' },
  institution: { name: 'Instituicao Exemplo IP S.A.', ispb: '12345678' },
};

describe('receipt', () => {
  it('shows the payment, both parties and the institution', async () => {
    const { lines } = pdfText(await receiptPdf(receipt));
    expect(lines).toEqual([
      'Comprovante de pagamento Pix',
      'Transação',
      'Valor',
      'R$ 1.234.567,89',
      'Data e hora',
      '19/11/2026 23:04:05 (horário de Brasília)',
      'Data e hora UTC',
      '2026-11-20T02:04:05.678Z',
      'ID da transação (EndToEndId)',
      'E12345678202611201200001abcdefgh',
      'Pedido',
      'pedido-1',
      'Identificador',
      '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
      'Pagador',
      'Nome',
      'Loja São João Ltda',
      'CNPJ',
      '**.ABC.345/01DE-**',
      'Instituição (ISPB)',
      '12345678',
      'Recebedor',
      'Nome',
      'Conceição Araújo',
      'CPF',
      '***.982.247-**',
      'Instituição (ISPB)',
      '87654321',
      'Instituicao Exemplo IP S.A. · ISPB 12345678',
    ]);
  });

  it('cuts a name longer than any: other drawings would wait', async () => {
    const name = 'A'.repeat(45_000);
    const { lines } = pdfText(await receiptPdf({ ...receipt, recipient: { ...receipt.recipient, name } }));
    const shown = lines.slice(lines.lastIndexOf('Nome') + 1, lines.lastIndexOf('CPF')).join('');
    expect(shown).toBe(`${'A'.repeat(500)}...`);
  });

  it('holds no full tax number anywhere in the file, in no spelling', async () => {
    const { raw } = pdfText(await receiptPdf(receipt));
    expect(raw).toContain('982.247');
    for (const full of ['52998224725', '529.982.247-25', '12ABC34501DE35', '12.ABC.345/01DE-35']) {
      expect(raw).not.toContain(full);
    }
  });

  it('is a PDF of one page that a reader can open', async () => {
    const file = (await receiptPdf(receipt)).toString('latin1');
    expect(file.startsWith('%PDF-1.')).toBe(true);
    expect(file.trimEnd().endsWith('%%EOF')).toBe(true);
    expect(file.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  });

  it('is the same file each time it is asked for', async () => {
    expect((await receiptPdf(receipt)).equals(await receiptPdf(receipt))).toBe(true);
  });

  it('leaves out what is not known, and says when money was given back', async () => {
    const nobody = { name: '', taxNumber: '', ispb: '' };
    const { lines } = pdfText(await receiptPdf({ ...receipt, kind: 'Refund', payer: nobody }));
    expect(lines[0]).toBe('Comprovante de devolução Pix');
    expect(lines.slice(lines.indexOf('Pagador'), lines.indexOf('Recebedor'))).toEqual(['Pagador']);
  });

  it('writes names of other scripts as far as the standard fonts can', async () => {
    const recipient = { ...receipt.recipient, name: 'Łukasz Şahin 😀 “x”' };
    const { lines } = pdfText(await receiptPdf({ ...receipt, recipient }));
    expect(lines).toContain('?ukasz Sahin ? ?x?');
  });

  it('keeps a long name on the page', async () => {
    const recipient = { ...receipt.recipient, name: 'Maria das Dores '.repeat(20).trim() };
    const { lines } = pdfText(await receiptPdf({ ...receipt, recipient }));
    const name = lines.slice(lines.lastIndexOf('Nome')).join(' ').replace(/\s+/g, ' ');
    expect(name.match(/Maria das Dores/g)).toHaveLength(20);
  });

  it.each([
    [1n, 'R$ 0,01'],
    [100n, 'R$ 1,00'],
    [99_999n, 'R$ 999,99'],
    [100_000n, 'R$ 1.000,00'],
    [999_999_999_999_999n, 'R$ 9.999.999.999.999,99'],
  ])('writes amounts as Brazilians do: %p', (centavos, written) => {
    expect(brazilianAmount(centavos)).toBe(written);
  });
});
