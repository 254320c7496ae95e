import { answer, api } from '../../api/client.js';

/** How long one lasts, milliseconds. */
export const SESSION_MS = 3_600_000;

/** A partner's session for an account. The token is kept in memory only. */
export interface PartnerSession {
  readonly accountUid: string;
  readonly accessKey: string;
  readonly authorization: string;
}

/** Issues an access key for one hour, recorded in the event log, and logs in with it. @throws ApiError */
export async function actFor(accountUid: string): Promise<PartnerSession> {
  const { accessKey, secret } = await answer(
    api.POST('/admin/accounts/{uid}/access-keys', {
      params: { path: { uid: accountUid } },
      body: {
        name: 'Console sandbox',
        permissions: ['accounts:read', 'pix:cashin', 'pix:cashout'],
        expiresAt: new Date(Date.now() + SESSION_MS).toISOString(),
      },
    }),
  );
  const { token } = await answer(api.POST('/partners-int/login', { body: { accessKey, secret } }));
  return { accountUid, accessKey, authorization: `Bearer ${token}` };
}
