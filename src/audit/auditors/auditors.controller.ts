import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ActingOperator, type Operator, OperatorRoute } from '../../auth/index.js';
import { Answers, done, IsText, RequestId, ValidBody } from '../../platform/http/index.js';
import { AuditorList, RegisteredAuditor, RevokedAuditor } from './auditors.answer.js';
import { Auditors } from './auditors.js';

const ID = '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e';
const AUDITOR = { id: ID, name: 'External audit 2026', partnerUid: null };

export class RegisterAuditorDto {
  @ApiProperty({ example: 'External audit 2026', description: 'A label, not a person' })
  @IsText({ minimum: 1, maximum: 140 })
  name: string;

  @ApiPropertyOptional({ description: 'Limits the auditor to one partner', type: String, example: ID, nullable: true })
  @IsOptional()
  @IsText({ maximum: 36 })
  partnerUid?: string | null;
}

@ApiTags('Operator')
@Controller('admin/auditors')
@OperatorRoute()
export class AuditorsController {
  constructor(private readonly auditors: Auditors) {}

  @Post()
  @Answers({
    summary: 'Let an auditor read',
    description: 'The credential reads the routes under /audit and nothing else. It is shown this once.',
    status: 201,
    answer: RegisteredAuditor,
    example: done({ ...AUDITOR, token: `aud_${ID}_…` }),
    errors: [404],
  })
  async registerAuditor(
    @ActingOperator() operator: Operator,
    @ValidBody(RegisterAuditorDto) { name, partnerUid }: RegisterAuditorDto,
    @RequestId() requestId: string,
  ) {
    return done(await this.auditors.register(name, partnerUid ?? null, `operator:${operator.name}`, requestId));
  }

  @Get()
  @Answers({
    summary: 'All auditors',
    answer: AuditorList,
    example: done({ items: [{ ...AUDITOR, status: 'Active', registeredAt: '2026-11-20T14:04:05.123Z' }] }),
  })
  async listAuditors() {
    const auditors = await this.auditors.list();
    return done({
      items: auditors.map(({ bound: _bound, version: _version, ...shown }) => shown),
    });
  }

  @Post(':id/revoke')
  @Answers({
    summary: "Revoke an auditor's credential; it is refused within a second",
    answer: RevokedAuditor,
    example: done({ id: ID, status: 'Revoked' }),
    errors: [404],
  })
  async revokeAuditor(@ActingOperator() operator: Operator, @Param('id') id: string, @RequestId() requestId: string) {
    await this.auditors.revoke(id, `operator:${operator.name}`, requestId);
    return done({ id, status: 'Revoked' });
  }
}
