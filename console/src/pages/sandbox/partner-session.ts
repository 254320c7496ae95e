import { answer, api } from '../../api/client.js';

/** Acting for an account as its partner would: by a token, held in this page's memory only. */
export interface PartnerSession {
  readonly accountUid: string;
  readonly accessKey: string;
  readonly authorization: string;
}

/** Issues an access key of one hour, which the history shows, and logs in with it. @throws ApiError */
export async function actFor(accountUid: string): Promise<PartnerSession> {
  const { accessKey, secret } = await answer(
    api.POST('/admin/accounts/{uid}/access-keys', {
      params: { path: { uid: accountUid } },
      body: {
        name: 'Console sandbox',
        permissions: ['accounts:read', 'pix:cashin', 'pix:cashout'],
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      },
    }),
  );
  const { token } = await answer(api.POST('/partners-int/login', { body: { accessKey, secret } }));
  return { accountUid, accessKey, authorization: `Bearer ${token}` };
}
