import { formatMoment } from '../../format/date.js';
import { t } from '../../i18n/index.js';

interface Circuit {
  readonly since: string;
  readonly nextProbeAt: string | null;
}

/** A receiver's open circuit: since when, and when the next probe is sent. */
export function CircuitState({ circuit }: { readonly circuit: Circuit | null }) {
  if (circuit === null) return null;
  const { since, nextProbeAt } = circuit;
  return (
    <span className="badge bad" data-circuit="open">
      {nextProbeAt === null
        ? t('Circuit open since {}, probe under way', formatMoment(since))
        : t('Circuit open since {}, next probe {}', formatMoment(since), formatMoment(nextProbeAt))}
    </span>
  );
}
