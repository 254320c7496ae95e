import type { ApiPixSettings } from '../../../platform/config/index.js';
import { ApiPixClient } from './api-pix-client.js';
import { ClientCertificate } from './client-certificate.js';
import { Cobs } from './cobs.js';
import { Devolucoes } from './devolucoes.js';
import { API_PIX_DIALECT, type ApiPixDialect } from './dialect.js';
import { MutualTls } from './mutual-tls.js';
import { BcbNotifications } from './notifications.js';
import { ReceivedList } from './received-list.js';
import { API_PIX } from './settings.js';
import { TokenSource } from './token-source.js';
import { WebhookRegistration } from './webhook-registration.js';

/**
 * Providers of every rail over the API Pix. Its module adds `API_PIX`, `API_PIX_DIALECT` and `NOTIFICATION_RECEIVER`.
 */
export const apiPixProviders = [
  BcbNotifications,
  ClientCertificate,
  Cobs,
  Devolucoes,
  ReceivedList,
  WebhookRegistration,
  { provide: MutualTls, inject: [API_PIX], useFactory: (settings: ApiPixSettings) => new MutualTls(settings) },
  {
    provide: ApiPixClient,
    inject: [MutualTls, API_PIX, API_PIX_DIALECT],
    useFactory: (http: MutualTls, settings: ApiPixSettings, dialect: ApiPixDialect) =>
      new ApiPixClient(http, new TokenSource(http, settings, dialect), settings, dialect),
  },
];
