import { Field } from '@base-ui/react/field';
import type { ReactNode } from 'react';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly defaultValue?: string;
}

interface TextProps extends FieldProps {
  readonly type?: 'text' | 'url' | 'date' | 'datetime-local' | 'password' | 'search';
  readonly inputMode?: 'decimal' | 'numeric';
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly autoComplete?: string;
  /** Seconds, of a date-time field. */
  readonly step?: number;
}

/** With it a browser takes years of four digits only. */
export const LATEST_DAY = '9999-12-31';
const LATEST: Readonly<Record<string, string>> = { date: LATEST_DAY, 'datetime-local': `${LATEST_DAY}T23:59:59` };

/** A text field; `name` is the path of the request's field, so that the service's faults find it. */
export function TextField({ name, label, hint, ...control }: TextProps) {
  return (
    <Field.Root name={name} className="field">
      <Field.Label>{label}</Field.Label>
      <Field.Control className="input" autoComplete="off" max={LATEST[control.type ?? '']} {...control} />
      {hint && <Field.Description className="field-hint">{hint}</Field.Description>}
      <Field.Error className="field-error" />
    </Field.Root>
  );
}

export function MoneyField(props: Omit<TextProps, 'inputMode' | 'type'>) {
  return <TextField inputMode="decimal" placeholder="0,00" {...props} />;
}

interface SelectProps extends FieldProps {
  readonly options: readonly (readonly [value: string, name: string])[];
}

/** The browser's own select: it works by keyboard and on a phone. */
export function SelectField({ name, label, hint, options, defaultValue }: SelectProps) {
  return (
    <Field.Root name={name} className="field">
      <Field.Label>{label}</Field.Label>
      <Field.Control render={<select className="input" />} defaultValue={defaultValue}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Field.Control>
      {hint && <Field.Description className="field-hint">{hint}</Field.Description>}
      <Field.Error className="field-error" />
    </Field.Root>
  );
}

interface ChoiceProps<Value> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, name: string])[];
  readonly onChange: (value: Value) => void;
}

/** A select outside of forms that applies at once. */
export function Choice<Value extends string | number>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <select
      className="input"
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(options[target.selectedIndex]![0])}
    >
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface ChecksProps {
  readonly name: string;
  readonly legend: string;
  readonly hint?: ReactNode;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly checked?: readonly string[];
}

/** Checkboxes of one name. */
export function ChecksField({ name, legend, hint, options, checked = options.map(([value]) => value) }: ChecksProps) {
  return (
    <fieldset className="field plain-fieldset">
      <legend className="field-label">{legend}</legend>
      {options.map(([value, text]) => (
        <label key={value} className="check">
          <input type="checkbox" name={name} value={value} defaultChecked={checked.includes(value)} />
          {text}
        </label>
      ))}
      {hint && <span className="field-hint">{hint}</span>}
    </fieldset>
  );
}
