import { Controller, Get, Param, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { Answers, IsChoice, ValidQuery } from '../../../platform/http/index.js';
import { FILE_FORMATS, type FileFormat } from '../../domain/payout-file.events.js';
import { resultsText } from './results-text.js';
import { GetPayoutFileResults } from './results.query.js';

class ResultsQuery {
  @IsChoice('That of the file if absent', FILE_FORMATS) format?: FileFormat;
}

@ApiTags('Payout files')
@Controller('partners-int/payouts/files/:id/results')
@PartnerRoute('pix:cashout')
export class PayoutFileResultsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: 'What became of the lines of a file',
    description:
      'Each line that was requested, in order, with its transaction and present state: CSV with a header, or JSON ' +
      'lines. Lines that wait, or were cancelled, are left out.',
    contentType: 'text/csv',
    example:
      'line,orderId,value,state,transactionId,endToEndId,error\r\n2,order-1,10.50,Registered,0199d1f0-…,E9999…,\r\n',
    otherTypes: {
      'application/x-ndjson':
        '{"line":2,"orderId":"order-1","value":"10.50","state":"Registered","transactionId":"0199d1f0-…",' +
        '"endToEndId":"E9999…","error":null}\n',
    },
    errors: [404],
  })
  async getPayoutFileResults(
    @Caller() { accountUid }: Principal,
    @Param('id') id: string,
    @ValidQuery(ResultsQuery) query: ResultsQuery,
  ): Promise<StreamableFile> {
    const results = await this.queries.execute(new GetPayoutFileResults(accountUid, id));
    const format = query.format ?? results.format;
    return new StreamableFile(results.download.stream(resultsText(format, results.lines)), {
      type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      disposition: `attachment; filename="results-${id}.${format}"`,
    });
  }
}
