import { X509Certificate } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import type { ApiPixSettings } from '../../../platform/config/index.js';
import { MetricsRegistry } from '../../../platform/observability/metrics-registry.js';
import { API_PIX } from './settings.js';

/** Tells how long the PSP still lets us in: after that no call reaches it, and no process of the service starts. */
@Injectable()
export class ClientCertificate {
  constructor({ registry }: MetricsRegistry, @Inject(API_PIX) { clientCertificate }: ApiPixSettings) {
    const until = new Date(new X509Certificate(clientCertificate).validTo).getTime();
    const gauge: Gauge = new Gauge({
      name: 'pix_rail_certificate_left_seconds',
      help: 'How long the client certificate for the PSP is still valid; below zero: it has expired.',
      registers: [registry],
      collect: () => gauge.set((until - Date.now()) / 1000),
    });
  }
}
