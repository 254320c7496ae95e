import { Form } from '@base-ui/react/form';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError } from '../api/errors.js';
import { t } from '../i18n/index.js';
import { useOnce } from './once.js';
import { Failure } from './states.js';

export type Values = Readonly<Record<string, string>>;

interface Props {
  readonly request: {
    readonly mutate: (
      values: Values,
      options: { readonly onSettled: (answer: unknown, error: Error | null) => void },
    ) => void;
    readonly isPending: boolean;
    readonly error: Error | null;
  };
  readonly actions: ReactNode;
  /** The form's fields; none for a mere confirmation. */
  readonly children?: ReactNode;
}

/** A form sent as one request. Faults are shown beside their fields, other errors below. */
export function RequestForm({ request: { mutate, isPending, error }, actions, children }: Props) {
  const [sent, setSent] = useState<readonly string[]>([]);
  // A field that the service refused holds up the form until it is changed, though another one may have been at fault.
  const [lifted, setLifted] = useState<Error | null>(null);
  // A refusal of another try does not tell what became of the one before it.
  const [isInDoubt, setInDoubt] = useState(false);
  const once = useOnce();
  const fields = error instanceof ApiError ? Object.keys(error.fields) : [];
  const isAtFields = fields.length > 0 && fields.every((path) => sent.includes(path));
  return (
    <Form
      className="form"
      errors={error instanceof ApiError && error !== lifted ? error.fields : {}}
      onSubmitCapture={() => flushSync(() => setLifted(error))}
      onSubmit={(event) => {
        event.preventDefault();
        if (isPending) return;
        const values = valuesOf(event.currentTarget);
        once((ended) => {
          setSent(Object.keys(values));
          mutate(values, {
            onSettled: (_answer, fault) => {
              ended();
              setInDoubt((before) => fault !== null && (before || isOutcomeUnknown(fault)));
            },
          });
        });
      }}
    >
      {children}
      {error && (isInDoubt || !isAtFields) && (
        <Failure error={error} advice={adviceOn(error, isInDoubt, sent.includes('key'))} />
      )}
      {actions}
    </Form>
  );
}

/**
 * @param isInDoubt whether this try, or one before it, may have acted
 * @param isKeyed sent again as it is, the form acts once; closed and opened anew, it would act again
 */
function adviceOn(error: Error, isInDoubt: boolean, isKeyed: boolean): string | undefined {
  if (error instanceof ApiError && error.code.endsWith('IdempotencyKeyReuse')) {
    return t('This form was sent before with other values, and that was done. Close it, and look.');
  }
  if (!isInDoubt) return undefined;
  return isKeyed
    ? t('It may have been done all the same. Sent again here, unchanged, it is done once. Before you close this, look.')
    : t('It may have been done all the same. Look before you send it again.');
}

function isOutcomeUnknown(error: Error): boolean {
  return error instanceof ApiError && error.isOutcomeUnknown;
}

/** A form's values, trimmed; checkboxes of one name are joined by commas. */
export function valuesOf(form: HTMLFormElement): Values {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== 'string') continue;
    values[name] = values[name] === undefined ? value.trim() : `${values[name]},${value}`;
  }
  return values;
}
