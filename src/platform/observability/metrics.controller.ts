import { Controller, Get, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Answers } from '../http/index.js';
import { ServiceMetrics } from './service-metrics.js';

@ApiTags('Operations')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: ServiceMetrics) {}

  @Get()
  @Answers({ summary: 'Prometheus metrics', contentType: 'text/plain', public: true })
  async readMetrics(@Res() reply: FastifyReply) {
    const text = await this.metrics.text();
    return reply.header('content-type', this.metrics.contentType).send(text);
  }
}
