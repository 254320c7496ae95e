import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { IsOneOf, parseDate } from './checks.js';
import { asKept } from './identifiers.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from './pagination.js';
import { rule, stacked } from './rules.js';

/** Query parameters: documentation, validation and parsing. */

type Shown = Readonly<Record<string, unknown>> & { readonly description?: string; readonly required?: boolean };

/** A parameter with its rules; it may be absent unless it is `required`. */
export function Parameter(shown: Shown, ...rules: PropertyDecorator[]): PropertyDecorator {
  const documented = ApiProperty({ type: 'string', required: false, ...shown } as object);
  return stacked(documented, ...(shown.required ? [] : [IsOptional()]), ...rules);
}

/** A repeated parameter arrives as a list; and PostgreSQL's text cannot hold NUL. */
export function IsGivenOnce(): PropertyDecorator {
  return rule('isGivenOnce', (value) =>
    Array.isArray(value) || (typeof value === 'string' && value.includes('\0'))
      ? { code: 'InvalidFormat', message: 'must be given once, as text' }
      : undefined,
  );
}

/** Replaces the text by its parsed value; reports a text that cannot be parsed, or none. */
export function Means(
  name: string,
  parse: (text: string) => object | number | bigint | undefined,
  message: string,
  info?: Record<string, unknown>,
): PropertyDecorator {
  const isUnread = (value: unknown) => value === undefined || typeof value === 'string' || Array.isArray(value);
  const fault = { code: 'InvalidFormat', message, info };
  return stacked(
    rule(name, (value) => (isUnread(value) ? fault : undefined), { absentToo: true }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (parse(value) ?? value) : value)),
  );
}

/** A number from `minimum` to `maximum`, three digits at most; its default is the class's. */
export function IsCount(shown: Shown & { readonly minimum: number; readonly maximum: number }): PropertyDecorator {
  const { minimum, maximum } = shown;
  const parse = (text: string) => {
    const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
    return count < minimum || count > maximum ? undefined : count;
  };
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return Parameter({ type: 'integer', ...shown }, Means('isCount', parse, message, { minimum, maximum }));
}

/** An ISO 8601 date or date-time; in UTC where it has no zone, as `settlementDate` has none. */
export function IsMoment(description: string): PropertyDecorator {
  return Parameter({ description }, Means('isMoment', parseMoment, 'must be an ISO 8601 date or date-time'));
}

function parseMoment(text: string): Date | undefined {
  // A `+` that is not encoded arrives as a space.
  const written = text.replace(/ (?=\d\d:\d\d$)/, '+');
  return parseDate(written) ?? parseDate(`${written}Z`);
}

const MOMENT = 'ISO 8601 date (midnight UTC) or date-time (UTC where it has no zone)';
export const IsFrom = (more = '') => IsMoment(`${MOMENT}, inclusive${more}`);
export const IsTo = (more = '') => IsMoment(`${MOMENT}, exclusive${more}`);

/** A filter by text. */
export function IsFilter(description: string): PropertyDecorator {
  return Parameter({ description }, IsGivenOnce());
}

/** A filter by an identifier, which may be in upper case, as in a path. */
export function IsIdFilter(description: string): PropertyDecorator {
  const kept = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? asKept(value) : value));
  return stacked(IsFilter(description), kept);
}

/** A filter by one of several values. */
export function IsChoice(description: string, words: readonly string[]): PropertyDecorator {
  return Parameter({ description, enum: [...words] }, IsOneOf(words));
}

export const IsLimit = () => IsCount({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT });
export const IsCursor = () => Parameter({ description: 'nextCursor of the page before' });

/** The query of a list without filters. */
export class PageQuery {
  @IsLimit() limit = DEFAULT_LIMIT;
  @IsCursor() cursor?: string;
}
