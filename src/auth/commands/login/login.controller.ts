import { Controller, Ip, Post, Res, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Answers, done, networkOf, ValidBody } from '../../../platform/http/index.js';
import { Limits } from '../../limits/limits.js';
import { Login, LogIn } from './login.command.js';
import { LoginDto } from './login.dto.js';
import { LoginLimitGuard } from './login-limit.guard.js';

@ApiTags('Auth')
@Controller('partners-int/login')
export class LoginController {
  constructor(
    private readonly commands: CommandBus,
    private readonly limits: Limits,
  ) {}

  @Post()
  @UseGuards(LoginLimitGuard)
  @Answers({
    summary: 'Exchange an access key and its secret for a token of one hour',
    answer: Login,
    example: done({
      token: 'eyJhbGciOiJIUzI1NiIs…',
      tokenType: 'Bearer',
      expiresIn: 3600,
      expiresAt: '2026-11-20T15:04:05.000Z',
    }),
    errors: [401, 403],
    public: true,
  })
  async logIn(
    @ValidBody(LoginDto) body: LoginDto,
    @Ip() address: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    this.limits.logins.take(networkOf(address), reply);
    return done(await this.commands.execute(new LogIn(body.accessKey, body.secret, address)));
  }
}
