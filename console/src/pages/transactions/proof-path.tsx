import { toBase64 } from '../../format/bytes.js';
import { t } from '../../i18n/index.js';
import type { PathStep } from '../../proof/inclusion.js';

const LEVEL = 30;
const MIDDLE = 120;
const ASIDE = 70;
const RADIUS = 5;

/**
 * The Merkle path from an event's leaf to the signed root: each node is the hash of its two children. Computed nodes
 * are filled, the proof's nodes are hollow; a node's hash is its tooltip.
 */
export function ProofPath({ leaf, steps }: { readonly leaf: string; readonly steps: readonly PathStep[] }) {
  const height = (steps.length + 1) * LEVEL;
  const heightOf = (level: number) => height - LEVEL / 2 - level * LEVEL;
  return (
    <svg
      className="proof-path"
      viewBox={`0 0 ${MIDDLE * 2} ${height}`}
      width={MIDDLE * 2}
      height={height}
      role="img"
      aria-label={t('Merkle path from the leaf to the root, {} steps', steps.length)}
    >
      {steps.map(({ side, sibling }, level) => {
        const x = side === 'left' ? MIDDLE - ASIDE : MIDDLE + ASIDE;
        const [y, above] = [heightOf(level), heightOf(level + 1)];
        return (
          <g key={level} data-side={side}>
            <path d={`M${MIDDLE},${y} L${MIDDLE},${above} L${x},${y}`} />
            <circle cx={x} cy={y} r={RADIUS} className="given">
              <title>{toBase64(sibling)}</title>
            </circle>
          </g>
        );
      })}
      {[leaf, ...steps.map(({ node }) => toBase64(node))].map((hash, level, all) => (
        <g key={level}>
          <circle cx={MIDDLE} cy={heightOf(level)} r={RADIUS}>
            <title>{hash}</title>
          </circle>
          {(level === 0 || level === all.length - 1) && (
            <text x={MIDDLE + RADIUS * 2} y={heightOf(level) - RADIUS}>
              {level === 0 ? t('leaf') : t('root')}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}
