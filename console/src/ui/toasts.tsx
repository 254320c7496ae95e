import { Toast } from '@base-ui/react/toast';
import { useCallback } from 'react';
import { t } from '../i18n/index.js';
import { Icon } from './icon.js';

/** Short messages about what was done, read out by screen readers. */
export function Toasts() {
  const { toasts } = Toast.useToastManager();
  return (
    <Toast.Portal>
      <Toast.Viewport className="toasts" aria-label={t('Messages')}>
        {toasts.map((toast) => (
          <Toast.Root key={toast.id} toast={toast} className="toast" data-type={toast.type}>
            <div>
              <Toast.Title render={<strong />} />
              <Toast.Description render={<div className="muted break" />} />
            </div>
            <Toast.Close className="icon-button" aria-label={t('Close')}>
              <Icon name="close" />
            </Toast.Close>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}

/** Shows a message: success, or failure, which stays until it is closed. */
export function useNotify(): (title: string, type?: 'good' | 'bad', description?: string) => void {
  const { add } = Toast.useToastManager();
  return useCallback(
    (title, type = 'good', description) =>
      void add({ title, type, description, ...(type === 'bad' && { timeout: 0 }) }),
    [add],
  );
}
