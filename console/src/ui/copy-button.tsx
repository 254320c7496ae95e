import { useEffect, useState } from 'react';
import { t } from '../i18n/index.js';
import { Icon } from './icon.js';

/** Copies a text and confirms it for two seconds. @param label of the text, where several are side by side */
export function CopyButton({
  text,
  label,
  wide,
}: {
  readonly text: string;
  readonly label?: string;
  readonly wide?: boolean;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const name = label === undefined ? t('Copy') : t('Copy {}', label);
  return (
    <button
      type="button"
      className={wide ? 'button small' : 'icon-button'}
      title={name}
      aria-label={copied ? t('Copied') : name}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <Icon name={copied ? 'done' : 'copy'} />
      {wide && (copied ? t('Copied') : t('Copy'))}
    </button>
  );
}
