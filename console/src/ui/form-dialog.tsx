import { Dialog } from '@base-ui/react/dialog';
import { Form } from '@base-ui/react/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../api/errors.js';
import { t } from '../i18n/index.js';
import { Failure } from './states.js';
import { useTell } from './toasts.js';

export type Values = Readonly<Record<string, string>>;

interface Props<Answer> {
  readonly trigger: string;
  readonly triggerClass?: string;
  readonly title: string;
  readonly text?: ReactNode;
  readonly submit: string;
  readonly danger?: boolean;
  /** The form's fields; none for a mere confirmation. */
  readonly children?: ReactNode;
  /** @param values of the fields, by name @throws ApiError */
  readonly onSubmit: (values: Values) => Promise<Answer>;
  readonly done: string;
  /** What to show once it is done, such as a secret that is told once; else the dialog closes. */
  readonly result?: (answer: Answer) => ReactNode;
}

/** A button that opens a form, sends it, and shows faults beside the fields that they are about. */
export function FormDialog<Answer>(props: Props<Answer>) {
  const [open, setOpen] = useState(false);
  const client = useQueryClient();
  const tell = useTell();
  const sent = useMutation({
    mutationFn: props.onSubmit,
    onSuccess: async () => {
      tell(props.done);
      if (!props.result) setOpen(false);
      await client.invalidateQueries();
    },
  });
  const change = (next: boolean) => {
    setOpen(next);
    if (next) sent.reset();
  };
  const { error } = sent;
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <Dialog.Root open={open} onOpenChange={change}>
      <Dialog.Trigger className={`button ${props.triggerClass ?? ''}`}>{props.trigger}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title>{props.title}</Dialog.Title>
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
              <Form
                className="form"
                errors={fields}
                onSubmit={(event) => {
                  event.preventDefault();
                  if (sent.isPending) return;
                  sent.mutate(valuesOf(event.currentTarget));
                }}
              >
                {props.children}
                {error && <Failure error={error} />}
                <div className="dialog-actions">
                  <Dialog.Close className="button">{t('Cancel')}</Dialog.Close>
                  <button
                    type="submit"
                    className={`button ${props.danger ? 'danger' : 'primary'}`}
                    disabled={sent.isPending}
                  >
                    {sent.isPending ? t('Sending …') : props.submit}
                  </button>
                </div>
              </Form>
            </>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What a form holds, trimmed; several boxes of one name are joined by commas. */
export function valuesOf(form: HTMLFormElement): Values {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== 'string') continue;
    values[name] = values[name] === undefined ? value.trim() : `${values[name]},${value}`;
  }
  return values;
}
