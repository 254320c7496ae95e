import { Controller, Get, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Answers } from '../http/index.js';
import { MetricsRegistry } from './metrics-registry.js';

@ApiTags('Operations')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsRegistry) {}

  @Get()
  @Answers({ summary: 'Prometheus metrics', contentType: 'text/plain', public: true })
  async readMetrics(@Res() reply: FastifyReply) {
    const { registry } = this.metrics;
    const text = await registry.metrics();
    return reply.header('content-type', registry.contentType).send(text);
  }
}
