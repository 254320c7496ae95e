import { Form } from '@base-ui/react/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api, FROM_CONSOLE } from '../api/client.js';
import { changeSessionOfTabs } from '../app/session-key.js';
import { t } from '../i18n/index.js';
import { TextField } from '../ui/fields.js';
import { valuesOf } from '../ui/request-form.js';
import { Failure } from '../ui/states.js';

/** Exchanges a credential for a session. The page does not keep the credential. */
export function SignInPage() {
  const client = useQueryClient();
  const signIn = useMutation({
    mutationFn: (credential: string) =>
      answer(api.POST('/console/session', { params: FROM_CONSOLE, body: { credential } })),
    onSuccess: (session) => changeSessionOfTabs(client, session),
  });
  return (
    <main className="sign-in">
      <title>{`${t('Sign in')} · ${t('Payments console')}`}</title>
      <div className="sign-in-card">
        <div className="brand">
          <img src="/console/icon.svg" width="28" height="28" alt="" />
          {t('Payments console')}
        </div>
        <div>
          <h1>{t('Sign in')}</h1>
          <p className="muted">{t('With an operator token or an auditor credential.')}</p>
        </div>
        <Form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            const form = event.currentTarget;
            signIn.mutate(valuesOf(form)['credential'] ?? '');
            form.reset();
          }}
        >
          <TextField
            name="credential"
            type="password"
            label={t('Credential')}
            hint={t('It is exchanged for a session that expires. This page does not keep it.')}
            autoComplete="current-password"
            required
          />
          {signIn.error && <Failure error={signIn.error} />}
          <button type="submit" className="button primary" disabled={signIn.isPending}>
            {t('Sign in')}
          </button>
        </Form>
      </div>
    </main>
  );
}
