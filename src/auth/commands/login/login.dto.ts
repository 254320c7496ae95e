import { Required, text } from '../../../platform/http/index.js';

/** Contract 2.1. */
export class LoginDto {
  @Required(
    { example: '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e', description: 'Access key' },
    text({ minimum: 1, maximum: 128 }),
  )
  accessKey: string;

  @Required({ example: 'sk_…', description: 'Its secret' }, text({ minimum: 1, maximum: 256 }))
  secret: string;
}
