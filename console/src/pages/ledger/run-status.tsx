import { Progress } from '@base-ui/react/progress';
import { formatCount } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { Status } from '../../ui/values.js';

interface Run {
  readonly status: string;
  readonly ok: boolean | null;
  readonly examined: string;
  readonly total: string;
}

export function RunStatus({ run: { status, ok } }: { readonly run: Run }) {
  if (status !== 'Finished') return <Status value={status} />;
  return ok ? (
    <Status value={t('nothing diverges')} tone="good" />
  ) : (
    <Status value={t('something diverges')} tone="bad" />
  );
}

export function RunProgress({ run: { status, examined, total } }: { readonly run: Run }) {
  const share = status === 'Finished' ? 100 : Math.min(100, (Number(examined) / Math.max(1, Number(total))) * 100);
  return (
    <Progress.Root className="progress" value={Math.round(share)} aria-label={t('Progress')}>
      <Progress.Track className="progress-track">
        <Progress.Indicator className="progress-fill" />
      </Progress.Track>
      <span className="muted">{t('{} of {} events', formatCount(examined), formatCount(total))}</span>
      <span className="muted">{Math.round(share)} %</span>
    </Progress.Root>
  );
}
