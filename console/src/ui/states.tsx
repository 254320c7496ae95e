import type { ReactNode } from 'react';
import { ApiError } from '../api/errors.js';
import { t } from '../i18n/index.js';
import { CopyButton } from './copy-button.js';

/** Grey lines until the first answer. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className="panel-body" role="status" aria-label={t('Loading')}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className="skeleton" />
      ))}
    </div>
  );
}

/** An error with the service's message, and the request id to find it in the logs. */
export function Failure({
  error,
  onRetry,
  advice,
}: {
  readonly error: Error;
  readonly onRetry?: () => void;
  readonly advice?: string | undefined;
}) {
  const known = error instanceof ApiError ? error : undefined;
  return (
    <div className="notice bad" role="alert">
      <strong>{known ? known.code : t('This page failed')}</strong>
      {error.message && <span className="break">{error.message}</span>}
      {advice && <span>{advice}</span>}
      {known?.requestId && (
        <span className="muted">
          {t('Request')} <span className="mono break">{known.requestId}</span> <CopyButton text={known.requestId} />
        </span>
      )}
      {onRetry && (
        <div>
          <button type="button" className="button small" onClick={onRetry}>
            {t('Try again')}
          </button>
        </div>
      )}
    </div>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

interface Asked<Answer> {
  readonly data: Answer | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** A query's answer; until then grey lines or the error. After a failed refresh the older answer stays. */
export function Answered<Answer>({
  query,
  lines,
  children,
}: {
  readonly query: Asked<Answer>;
  readonly lines?: number;
  readonly children: (answer: Answer) => ReactNode;
}) {
  const { data, error, refetch } = query;
  return (
    <>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? !error && <Loading lines={lines} /> : children(data)}
    </>
  );
}
