import { Controller, Delete, Get, Inject, Ip, Post, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiCookieAuth, ApiHeader, ApiProperty, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { assertFromConsole, Sessions } from '../../auth/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { AuthenticationError } from '../../platform/errors/index.js';
import { Answers, done, IsText, ValidBody } from '../../platform/http/index.js';
import { EndedSession, SessionView } from './session.answer.js';
import { ShowSession } from './session.query.js';
import { SignIn } from './sign-in.js';

const SESSION = {
  role: 'auditor' as const,
  name: 'External audit 2026',
  partnerUid: '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e',
  expiresAt: '2026-11-20T22:04:05.123Z',
  idleUntil: '2026-11-20T14:34:05.123Z',
  features: { sandbox: true },
  institution: { name: 'Instituicao Exemplo IP S.A.', ispb: '12345678' },
};
const FROM_CONSOLE = ApiHeader({
  name: 'X-Console',
  required: true,
  description: 'Any value: a page of another site cannot send it. The request must also be same-origin.',
});

export class SignInDto {
  @ApiProperty({
    example: 'aud_0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e_…',
    description: "An operator's token, or an auditor's",
  })
  @IsText({ minimum: 1, maximum: 512 })
  credential: string;
}

/** Console sessions: the only credential in the browser, and unreadable for scripts. */
@ApiTags('Console')
@Controller('console/session')
export class SessionController {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
    private readonly queries: QueryBus,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @FROM_CONSOLE
  @Answers({
    summary: "Exchange an operator's token or an auditor's credential for a session",
    description: 'The session is an httpOnly cookie; /admin and /audit take it instead of the bearer token.',
    answer: SessionView,
    example: done(SESSION),
    errors: [401, 403],
    public: true,
  })
  async beginSession(
    @Req() request: FastifyRequest,
    @Ip() address: string,
    @ValidBody(SignInDto) { credential }: SignInDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    assertFromConsole(request, this.config.publicUrl);
    const { session, cookie } = await this.signIn.signIn(credential, address);
    void reply.header('set-cookie', cookie);
    return done(await this.queries.execute(new ShowSession(session)));
  }

  @Get()
  @ApiCookieAuth('console')
  @Answers({
    summary: 'The session: who is signed in, until when, and the features of this service',
    answer: SessionView,
    example: done(SESSION),
  })
  async getSession(@Req() request: FastifyRequest) {
    const session = await this.sessions.of(request);
    if (!session) throw new AuthenticationError('Nobody is signed in.');
    return done(await this.queries.execute(new ShowSession(session)));
  }

  @Delete()
  @ApiSecurity({})
  @ApiCookieAuth('console')
  @FROM_CONSOLE
  @Answers({
    summary: 'Sign out: the session ends on every instance',
    answer: EndedSession,
    example: done({ ended: true }),
    errors: [403],
    public: true,
  })
  async endSession(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    assertFromConsole(request, this.config.publicUrl);
    void reply.header('set-cookie', await this.sessions.end(request));
    return done({ ended: true });
  }
}
