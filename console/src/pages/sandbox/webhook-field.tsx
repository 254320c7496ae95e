import { t } from '../../i18n/index.js';
import { TextField } from '../../ui/fields.js';
import type { Values } from '../../ui/request-form.js';

const NAME = 'sandbox-webhook';
const LISTENER = 'http://127.0.0.1:9000/webhooks';

/** The webhook URL: the last one used; at first that of a receiver on the developer's machine. */
export function WebhookField() {
  return (
    <TextField
      name="webhook.url"
      type="url"
      label={t('Webhook address')}
      defaultValue={localStorage.getItem(NAME) ?? LISTENER}
      required
    />
  );
}

/** The request's `webhook` from the field's value, which is kept for the next form. */
export function webhookOf(values: Values): { url: string } {
  const url = values['webhook.url'] ?? '';
  localStorage.setItem(NAME, url);
  return { url };
}
