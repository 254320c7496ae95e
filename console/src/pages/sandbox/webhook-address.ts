const NAME = 'sandbox-webhook';

/** The address that was last given for notifications; at first one where a developer's receiver may listen. */
export function rememberedWebhook(): string {
  return localStorage.getItem(NAME) ?? 'http://127.0.0.1:9000/webhooks';
}

export function rememberWebhook(url: string): void {
  localStorage.setItem(NAME, url);
}
