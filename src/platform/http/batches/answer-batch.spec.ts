import { describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { type AppError, OutcomeUnknown, ServiceUnavailable } from '../../errors/index.js';
import { done } from '../envelope.js';
import { answerBatch } from './answer-batch.js';

const reply = { request: { id: 'test' } } as FastifyReply;

function answer(...faults: AppError[]) {
  const items = faults.map((_, i) => ({ idempotency: { key: `key-${i}`, request: '{}' }, read: i }));
  return answerBatch({ mode: 'independent', items }, undefined, reply, () => Promise.resolve(faults), done);
}

describe('a batch of which every item failed by the service', () => {
  const unavailable = new ServiceUnavailable('The database is not available. Nothing was done.');

  it('fails as its first item did', async () => {
    await expect(answer(unavailable, new ServiceUnavailable('The queue is full.'))).rejects.toBe(unavailable);
  });

  it('is not told as nothing done where the outcome of one is unknown', async () => {
    const unknown = new OutcomeUnknown();
    await expect(answer(unavailable, unknown)).rejects.toBe(unknown);
  });
});
