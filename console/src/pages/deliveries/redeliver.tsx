import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { answer, api } from '../../api/client.js';
import { t, word } from '../../i18n/index.js';
import { Icon } from '../../ui/icon.js';
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
  // The second click of a double click comes before `isPending` does.
  const underWay = useRef(false);
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
    onError: (error) => notify(t('It could not be redelivered.'), 'bad', error.message),
  });
  const once = () => {
    if (underWay.current) return;
    underWay.current = true;
    redeliver.mutate(undefined, { onSettled: () => (underWay.current = false) });
  };
  return (
    <button type="button" className="button small" disabled={redeliver.isPending} onClick={once}>
      <Icon name="refresh" /> {t('Redeliver')}
    </button>
  );
}
