import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { t, word } from '../../i18n/index.js';
import { Icon } from '../../ui/icon.js';
import { useOnce } from '../../ui/once.js';
import { useNotify } from '../../ui/toasts.js';
import { outcomeOf } from './outcome.js';

const POLL_MS = 500;
/** A little longer than an attempt may take. */
const WATCH_MS = 40_000;

const read = (id: string) => answer(api.GET('/admin/webhooks/deliveries/{id}', { params: { path: { id } } }));

/** Redelivers from the first step of the schedule, and shows the outcome of the attempt. */
export function Redeliver({ id }: { readonly id: string }) {
  const client = useQueryClient();
  const notify = useNotify();
  const once = useOnce();
  const watch = async (before: string | null) => {
    for (const until = Date.now() + WATCH_MS; Date.now() < until;) {
      await new Promise((resume) => setTimeout(resume, POLL_MS));
      const now = await read(id);
      if (now.lastAttemptAt === before) continue;
      if (now.status === 'Delivered') notify(t('Delivered: the receiver accepted it.'));
      else notify(t('The receiver did not accept it.'), 'bad', `${outcomeOf(now)} · ${word(now.status)}`);
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
      notify(t('Queued.'));
      // An outcome that could not be read is not reported: the list shows it as soon as it is known.
      watch(before).catch(() => undefined);
      return client.invalidateQueries();
    },
    onError: (error) => {
      const isInDoubt = error instanceof ApiError && error.isOutcomeUnknown;
      notify(
        isInDoubt ? t('Not confirmed: {}', t('Redeliver')) : t('It could not be redelivered.'),
        'bad',
        error.message,
      );
      return client.invalidateQueries();
    },
  });
  const act = () => once((ended) => redeliver.mutate(undefined, { onSettled: ended }));
  return (
    <button type="button" className="button small" disabled={redeliver.isPending} onClick={act}>
      <Icon name="refresh" /> {t('Redeliver')}
    </button>
  );
}
