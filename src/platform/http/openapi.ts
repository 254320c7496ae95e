import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ERROR_SCHEMAS, errorAnswer } from './answers.js';

/** The OpenAPI document of all routes. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Partner Payments Service')
    .setDescription(
      'Accounts, internal transfers and Pix for partners. Amounts are strings with a dot and two decimals (BRL); times are UTC.',
    )
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'Token of POST /partners-int/login' })
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'One of ADMIN_TOKEN' }, 'operator')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  Object.assign(document.components!.schemas!, ERROR_SCHEMAS);
  // What HTTP itself refuses of any request that may carry a body.
  for (const path of Object.values(document.paths)) {
    for (const operation of [path.post, path.put, path.patch, path.delete]) {
      for (const status of operation ? [413, 415] : []) operation!.responses[status] ??= errorAnswer(status);
    }
  }
  return document;
}

/** Serves the document at `/openapi.json` and a page to try it at `/docs`. */
export function setUpOpenApi(app: INestApplication): void {
  let document: OpenAPIObject | undefined;
  SwaggerModule.setup('docs', app, () => (document ??= openApiDocument(app)), { jsonDocumentUrl: 'openapi.json' });
}
