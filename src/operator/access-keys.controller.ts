import { Controller, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  type AccessKeyChange,
  ActingOperator,
  ChangeAccessKey,
  ChangedAccessKey,
  type Operator,
  operatorActor,
  OperatorRoute,
} from '../auth/index.js';
import { Answers, done, RequestId } from '../platform/http/index.js';

const BECOMES = { disable: 'Disabled', enable: 'Active', revoke: 'Revoked' } as const;
const example = (change: AccessKeyChange) =>
  done({ accessKey: '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e', status: BECOMES[change] });

@ApiTags('Operator')
@Controller('admin/access-keys/:accessKey')
@OperatorRoute()
export class OperatorAccessKeysController {
  constructor(private readonly commands: CommandBus) {}

  @Post('disable')
  @Answers({
    summary: 'Disable a key; tokens issued to it are refused within a second',
    answer: ChangedAccessKey,
    example: example('disable'),
    errors: [404],
    reasons: ['TransitionNotAllowed'],
  })
  disableAccessKey(
    @ActingOperator() operator: Operator,
    @Param('accessKey') key: string,
    @RequestId() requestId: string,
  ) {
    return this.#change(key, 'disable', operator, requestId);
  }

  @Post('enable')
  @Answers({
    summary: 'Enable a disabled key',
    answer: ChangedAccessKey,
    example: example('enable'),
    errors: [404],
    reasons: ['TransitionNotAllowed'],
  })
  enableAccessKey(
    @ActingOperator() operator: Operator,
    @Param('accessKey') key: string,
    @RequestId() requestId: string,
  ) {
    return this.#change(key, 'enable', operator, requestId);
  }

  @Post('revoke')
  @Answers({
    summary: 'Revoke a key for ever',
    answer: ChangedAccessKey,
    example: example('revoke'),
    errors: [404],
  })
  revokeAccessKey(
    @ActingOperator() operator: Operator,
    @Param('accessKey') key: string,
    @RequestId() requestId: string,
  ) {
    return this.#change(key, 'revoke', operator, requestId);
  }

  async #change(accessKey: string, change: AccessKeyChange, operator: Operator, requestId: string) {
    await this.commands.execute(new ChangeAccessKey(accessKey, change, operatorActor(operator), requestId));
    return done({ accessKey, status: BECOMES[change] });
  }
}
