import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import { t } from '../../i18n/index.js';
import { Icon } from '../../ui/icon.js';
import { useTell } from '../../ui/toasts.js';

/** Makes a delivery again, from the first step of its schedule. */
export function Redeliver({ id }: { readonly id: string }) {
  const client = useQueryClient();
  const tell = useTell();
  const redeliver = useMutation({
    mutationFn: () => answer(api.POST('/admin/webhooks/deliveries/{id}/redeliver', { params: { path: { id } } })),
    onSuccess: () => {
      tell(t('Queued: it is tried at once.'));
      return client.invalidateQueries();
    },
    onError: (error) => tell(t('It could not be redelivered.'), 'bad', error.message),
  });
  return (
    <button type="button" className="button small" disabled={redeliver.isPending} onClick={() => redeliver.mutate()}>
      <Icon name="refresh" /> {t('Redeliver')}
    </button>
  );
}
