import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { answer, api } from '../../api/client.js';
import { type Phrase, t, word } from '../../i18n/index.js';
import { useOnce } from '../../ui/once.js';
import { Answered, Failure } from '../../ui/states.js';
import { Moment, Money, Status } from '../../ui/values.js';
import { TransactionDeliveries } from '../deliveries/transaction-deliveries.js';

const FORCE = { complete: 'Complete it', fail: 'Fail it', reverse: 'Reverse it' } as const satisfies Record<
  string,
  Phrase
>;

/** A transaction's state and webhook deliveries, refreshed; while it is open, its outcome can be forced. */
export function Watch({ id }: { readonly id: string }) {
  const client = useQueryClient();
  const transaction = useQuery({
    queryKey: ['transaction', id],
    queryFn: () => answer(api.GET('/audit/transactions/{id}', { params: { path: { id } } })),
    refetchInterval: 1_000,
  });
  const force = useMutation({
    mutationFn: (next: keyof typeof FORCE) =>
      answer(api.POST(`/sandbox/pix/transactions/{id}/${next}`, { params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries(),
  });
  const once = useOnce();
  // Twice, a deposit would be paid twice.
  const act = (next: keyof typeof FORCE) => once((ended) => force.mutate(next, { onSettled: ended }));
  return (
    <>
      <Answered query={transaction} lines={1}>
        {(found) => (
          <div className="notice" role="status" data-watched={found.state}>
            <div className="row spread">
              <span className="row">
                <Link to={`/transactions/${id}`}>{word(found.type)}</Link> <Money value={found.amount} />
                <Status value={found.state} />
                {found.errorReason && <span className="muted">{found.errorReason}</span>}
              </span>
              <Moment value={found.changedAt} />
            </div>
            {found.state === 'Registered' && (
              <div className="row">
                {(Object.keys(FORCE) as (keyof typeof FORCE)[]).map((next) => (
                  <button
                    key={next}
                    type="button"
                    className="button small"
                    disabled={force.isPending}
                    onClick={() => act(next)}
                  >
                    {t(FORCE[next])}
                  </button>
                ))}
              </div>
            )}
          </div>
        )}
      </Answered>
      {force.error && <Failure error={force.error} />}
      <TransactionDeliveries id={id} />
    </>
  );
}
