import { applyDecorators, type PipeTransform } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import { IsOptional } from 'class-validator';
import { AppError } from '../../errors/index.js';
import { IsOneOf } from '../checks.js';
import { type IdempotentRequest, KEY, requestText } from '../idempotency.js';
import { type Dto, type LocatedFault, missing, notAnObject, rule, stacked } from '../rules.js';
import { validate } from '../validation.js';

export const BATCH_MODES = ['independent', 'atomic'] as const;
export type BatchMode = (typeof BATCH_MODES)[number];

const MOST_ITEMS = 500;
/** 500 payouts with every member at its longest, and room. */
const BODY_LIMIT = 1024 * 1024;

/** A body of a route's items, each with a key of its own. */
export interface BatchDto {
  mode?: BatchMode;
  items: object[];
}

/** An item: what its route reads of it, or the refusal of it that its route answers. */
export interface BatchItem<T> {
  readonly idempotency: IdempotentRequest;
  readonly read: T | AppError;
}

export interface Batch<T> {
  readonly mode: BatchMode;
  readonly items: readonly BatchItem<T>[];
}

/** Lets a route take the body of a batch; others take 64 KiB. */
export function TakesBatch(): MethodDecorator {
  return applyDecorators(RouteConfig({ bodyLimit: BODY_LIMIT }));
}

/** How many requests a body counts for, whatever is wrong with it. */
export function itemsIn(body: unknown): number {
  const items = (body as Partial<BatchDto> | undefined)?.items;
  return Array.isArray(items) ? Math.min(Math.max(1, items.length), MOST_ITEMS) : 1;
}

export function IsBatchMode(modes: readonly BatchMode[]): PropertyDecorator {
  const shown = ApiProperty({
    enum: [...modes],
    default: 'independent',
    description: modes.includes('atomic') ? '`independent`: each stands alone; `atomic`: all or none' : '',
  });
  return stacked(shown, IsOptional(), IsOneOf(modes));
}

/** Bodies of the single route, each with its `idempotencyKey`. */
export function IsBatchOf(dto: Dto): PropertyDecorator {
  const key = { type: 'string', minLength: 1, maxLength: 255, pattern: KEY.source };
  const shown = ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MOST_ITEMS,
    items: {
      allOf: [
        { $ref: getSchemaPath(dto) },
        { type: 'object', required: ['idempotencyKey'], properties: { idempotencyKey: key } },
      ],
    },
    description: 'Each with a key of its own, unique in the batch',
  });
  const check = rule('isBatch', (value) => {
    if (!Array.isArray(value)) return { code: 'InvalidType', message: 'must be a list', info: { expected: 'array' } };
    if (value.length === 0) return { code: 'TooFew', message: 'must have at least 1 element', info: { minimum: 1 } };
    if (value.length <= MOST_ITEMS) return undefined;
    return { code: 'TooMany', message: `must have at most ${MOST_ITEMS} elements`, info: { maximum: MOST_ITEMS } };
  });
  return stacked(shown, check);
}

/**
 * Reads a batch. Mode, list and keys are the batch's own: a fault of theirs is one of the whole. Everything else in an
 * item is the item's, and so is its refusal.
 */
export class BatchBody<D extends BatchDto, T> implements PipeTransform<unknown, Batch<T>> {
  /**
   * @param route of single requests: an item's key is the same as one sent there with the item's body
   * @param readItem throws AppError, as the single route refuses a body
   */
  constructor(
    private readonly dto: Dto<D>,
    private readonly route: string,
    private readonly readItem: (body: unknown) => T,
  ) {}

  transform(sent: unknown): Batch<T> {
    const { mode, items } = validate(this.dto, sent, keyFaults);
    return { mode: mode ?? 'independent', items: items.map((item) => this.#item(item as SentItem)) };
  }

  #item({ idempotencyKey: key, ...body }: SentItem): BatchItem<T> {
    return { idempotency: { key, request: requestText('POST', this.route, body) }, read: this.#read(body) };
  }

  #read(body: object): T | AppError {
    try {
      return this.readItem(body);
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }
}

interface SentItem {
  readonly idempotencyKey: string;
}

function keyFaults({ items }: BatchDto): LocatedFault[] {
  if (!Array.isArray(items) || items.length > MOST_ITEMS) return [];
  const faults: LocatedFault[] = [];
  const seen = new Map<string, number>();
  items.forEach((item: unknown, i) => {
    const at = `items.${i}`;
    const path = `${at}.idempotencyKey`;
    const wrong = notAnObject(item, {});
    if (wrong) return void faults.push({ ...wrong, path: at });
    const key: unknown = Object.hasOwn(item as object, 'idempotencyKey') ? (item as SentItem).idempotencyKey : null;
    if (key === undefined || key === null) return void faults.push({ ...missing('idempotencyKey'), path });
    if (typeof key !== 'string' || !KEY.test(key)) {
      const message = 'must be 1 to 255 visible ASCII characters';
      return void faults.push({ path, code: 'InvalidFormat', message, info: { maximum: 255 } });
    }
    const first = seen.get(key);
    if (first === undefined) return void seen.set(key, i);
    faults.push({ path, code: 'Duplicate', message: `is the key of items.${first} too`, info: { first } });
  });
  return faults;
}
