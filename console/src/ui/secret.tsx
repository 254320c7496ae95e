import { t } from '../i18n/index.js';
import { CopyButton } from './copy-button.js';

/** Secrets that are shown once and cannot be read again. */
export function Secrets({ secrets }: { readonly secrets: readonly (readonly [name: string, secret: string])[] }) {
  return (
    <>
      <div className="notice warn" role="status">
        <strong>{t('Shown once')}</strong>
        <span>{t('Copy it now and keep it safe. Nobody can read it again, the operator included.')}</span>
      </div>
      {secrets.map(([name, secret]) => (
        <div key={name} className="secret">
          <div className="row spread">
            <strong>{name}</strong>
            <CopyButton text={secret} label={name} wide />
          </div>
          <code data-secret={name}>{secret}</code>
        </div>
      ))}
    </>
  );
}
