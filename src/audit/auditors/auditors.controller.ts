import { Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ActingOperator, type Operator, operatorActor, OperatorRoute } from '../../auth/index.js';
import { Answers, done, IsText, RequestId, ValidBody } from '../../platform/http/index.js';
import { RegisterAuditor, RegisteredAuditor } from '../commands/register-auditor/register-auditor.command.js';
import { RevokeAuditor } from '../commands/revoke-auditor/revoke-auditor.command.js';
import { AuditorList, ListAuditors, RevokedAuditor } from '../queries/auditors/auditors.query.js';

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
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Answers({
    summary: 'Register an auditor',
    description: 'The credential gives access to the routes under /audit only. It is shown this once.',
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
    const command = new RegisterAuditor(name, partnerUid ?? null, operatorActor(operator), requestId);
    return done(await this.commands.execute(command));
  }

  @Get()
  @Answers({
    summary: 'All auditors',
    answer: AuditorList,
    example: done({ items: [{ ...AUDITOR, status: 'Active', registeredAt: '2026-11-20T14:04:05.123Z' }] }),
  })
  async listAuditors() {
    return done(await this.queries.execute(new ListAuditors()));
  }

  @Post(':id/revoke')
  @Answers({
    summary: "Revoke an auditor's credential; it is refused within a second",
    answer: RevokedAuditor,
    example: done({ id: ID, status: 'Revoked' }),
    errors: [404],
  })
  async revokeAuditor(@ActingOperator() operator: Operator, @Param('id') id: string, @RequestId() requestId: string) {
    await this.commands.execute(new RevokeAuditor(id, operatorActor(operator), requestId));
    return done({ id, status: 'Revoked' });
  }
}
