import { describe, expect, it } from '@jest/globals';
import { toApiError } from './errors.js';

describe('an error of the service', () => {
  it('keeps all faults of a body, by field', () => {
    const details = [
      { path: 'name', code: 'Required', message: 'is required', info: {} },
      { path: 'taxNumber', code: 'InvalidFormat', message: 'must be a CPF or CNPJ', info: {} },
    ];
    const error = toApiError(400, 'req-1', { statusCode: 'Error', error: { name: 'InvalidInputError', details } });
    expect(error).toMatchObject({ status: 400, code: 'InvalidInputError', requestId: 'req-1' });
    expect(error.fields).toEqual({ name: 'is required', taxNumber: 'must be a CPF or CNPJ' });
    expect(error.message).toBe('name: is required; taxNumber: must be a CPF or CNPJ');
  });

  it('names the reason of a refusal', () => {
    const details = { reason: 'TransitionNotAllowed', message: 'It is Completed.' };
    const error = toApiError(422, null, { error: { name: 'OperationError', code: 'OperationError', details } });
    expect(error).toMatchObject({ code: 'OperationError · TransitionNotAllowed', message: 'It is Completed.' });
  });

  it.each([
    [502, null, true],
    [500, 'InternalError', true],
    [503, 'OutcomeUnknown', true],
    [503, 'ServiceUnavailable', false],
    [429, 'TooManyRequests', false],
    [422, 'OperationError', false],
  ])('of status %s and name %s leaves the outcome of a command open: %s', (status, name, isOpen) => {
    expect(toApiError(status, null, name && { error: { name } }).isOutcomeUnknown).toBe(isOpen);
  });

  it('reads a body of another shape, or none', () => {
    expect(toApiError(403, null, { message: 'Forbidden' })).toMatchObject({ code: 'Forbidden', message: 'Forbidden' });
    expect(toApiError(502, null, '<html>')).toMatchObject({
      code: 'HTTP 502',
      message: 'The service does not answer. Check the connection and try again.',
    });
    expect(toApiError(503, null, { error: { name: 'ServiceUnavailable', message: 'Later.' } })).toMatchObject({
      code: 'ServiceUnavailable',
      message: 'Later.',
    });
  });
});
