import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import { t, word } from '../../i18n/index.js';
import { Icon } from '../../ui/icon.js';
import { useTell } from '../../ui/toasts.js';
import { outcomeOf } from './outcome.js';

const LOOK_MS = 500;
/** As long as an attempt may take, and a little. */
const WATCHED_MS = 40_000;

const read = (id: string) => answer(api.GET('/admin/webhooks/deliveries/{id}', { params: { path: { id } } }));

/** Makes a delivery again, from the first step of its schedule, and says how the attempt ended. */
export function Redeliver({ id }: { readonly id: string }) {
  const client = useQueryClient();
  const tell = useTell();
  const watch = async (before: string | null) => {
    for (const until = Date.now() + WATCHED_MS; Date.now() < until;) {
      await new Promise((resume) => setTimeout(resume, LOOK_MS));
      const now = await read(id);
      if (now.lastAttemptAt === before) continue;
      if (now.status === 'Delivered') tell(t('Delivered: the receiver has taken it.'));
      else tell(t('The receiver did not take it.'), 'bad', `${outcomeOf(now)} · ${word(now.status)}`);
      return client.invalidateQueries();
    }
  };
  const redeliver = useMutation({
    mutationFn: async () => {
      const { lastAttemptAt } = await read(id);
      await answer(api.POST('/admin/webhooks/deliveries/{id}/redeliver', { params: { path: { id } } }));
      return lastAttemptAt;
    },
    onSuccess: (before) => {
      tell(t('Queued.'));
      // That the outcome could not be read is no outcome: the list shows it as soon as it is known.
      watch(before).catch(() => undefined);
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
