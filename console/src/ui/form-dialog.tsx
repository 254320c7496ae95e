import { Dialog } from '@base-ui/react/dialog';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { ApiError } from '../api/errors.js';
import { t } from '../i18n/index.js';
import { RequestForm, type Values } from './request-form.js';
import { useNotify } from './toasts.js';

interface Props<Answer> {
  readonly trigger: string;
  readonly triggerClass?: string;
  readonly title: string;
  /** What of a list it acts on, as its row names it. */
  readonly about?: string;
  readonly text?: ReactNode;
  readonly submit: string;
  readonly danger?: boolean;
  readonly onOpen?: () => void;
  /** The form's fields; none for a mere confirmation. */
  readonly children?: ReactNode;
  /** @param values of the fields, by name @throws ApiError */
  readonly onSubmit: (values: Values) => Promise<Answer>;
  /** The message after success. */
  readonly done: string | ((answer: Answer) => string);
  /** What to show after success, such as a secret shown once; without it the dialog closes. */
  readonly result?: (answer: Answer) => ReactNode;
}

/** A button that opens a form, sends it, and shows faults beside their fields. */
export function FormDialog<Answer>(props: Props<Answer>) {
  const [open, setOpen] = useState(false);
  const popup = useRef<HTMLDivElement>(null);
  const client = useQueryClient();
  const notify = useNotify();
  const sent = useMutation({
    mutationFn: props.onSubmit,
    onSuccess: (answer) => {
      notify(typeof props.done === 'string' ? props.done : props.done(answer));
      if (!props.result) setOpen(false);
    },
    // A dialog may be gone before its answer is there: what it acts on has changed, or the page has. It goes with its
    // session too.
    onError: (error) => {
      if (!popup.current || (error instanceof ApiError && error.status === 401))
        notify(t('Not confirmed: {}', props.title), 'bad', error.message);
    },
    // A refusal says that the page shows what is no longer so, and a lost answer that nobody knows.
    onSettled: () => void client.invalidateQueries(),
  });
  const change = (next: boolean) => {
    // What is under way cannot be taken back, and its answer may hold a secret that is shown once.
    if (!next && sent.isPending) return;
    setOpen(next);
    if (!next) return;
    sent.reset();
    props.onOpen?.();
  };
  return (
    <Dialog.Root
      open={open}
      onOpenChange={change}
      disablePointerDismissal={sent.isSuccess && props.result !== undefined}
    >
      <Dialog.Trigger className={`button ${props.triggerClass ?? ''}`}>{props.trigger}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup ref={popup} className="dialog">
          <Dialog.Title>{props.title}</Dialog.Title>
          {props.about && (
            <p className="break">
              <strong>{props.about}</strong>
            </p>
          )}
          {sent.isSuccess && props.result ? (
            <>
              {props.result(sent.data)}
              <div className="dialog-actions">
                <Dialog.Close className="button primary">{t('Close')}</Dialog.Close>
              </div>
            </>
          ) : (
            <>
              {props.text && <Dialog.Description className="muted">{props.text}</Dialog.Description>}
              <RequestForm
                request={sent}
                actions={
                  <div className="dialog-actions">
                    <Dialog.Close className="button" disabled={sent.isPending}>
                      {t('Cancel')}
                    </Dialog.Close>
                    <button
                      type="submit"
                      className={`button ${props.danger ? 'danger' : 'primary'}`}
                      disabled={sent.isPending}
                    >
                      {sent.isPending ? t('Sending …') : props.submit}
                    </button>
                  </div>
                }
              >
                {props.children}
              </RequestForm>
            </>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
