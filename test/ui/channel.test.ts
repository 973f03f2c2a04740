/** A live channel as people type it, and what cannot be one. */
import { expect, test } from 'vitest';
import { channelOf, wrongFields } from '../../src/ui/manager/form-checks.ts';

const entityId = '8a829418644d55a901644e5d8f0a0b1c';
const right = { baseUrl: 'https://pay.example/', entityId, token: 'a-live-token' };

test.each([
  ['https://pay.example', 'https://pay.example/'],
  [' https://pay.example/v1// ', 'https://pay.example/v1/'],
])('the address %o is %o', (baseUrl, sent) => expect(channelOf({ ...right, baseUrl }).baseUrl).toBe(sent));

test('spaces and capitals do not change a channel', () =>
  expect(channelOf({ ...right, entityId: ` ${entityId.toUpperCase()}`, token: ' a-live-token\n' })).toEqual(right));

test.each([
  [right, []],
  [{ ...right, baseUrl: 'http://127.0.0.1:4000' }, []],
  [{ ...right, baseUrl: 'pay.example' }, ['baseUrl']],
  [{ ...right, baseUrl: 'http://pay.example/' }, ['baseUrl']],
  [{ ...right, baseUrl: 'https://pay.example/?a=1' }, ['baseUrl']],
  [{ ...right, entityId: entityId.slice(1) }, ['entityId']],
  [{ ...right, entityId: `g${entityId.slice(1)}` }, ['entityId']],
  [{ ...right, token: 'short' }, ['token']],
  [{ ...right, token: 'two words' }, ['token']],
  [{ baseUrl: '', entityId: '', token: '' }, ['baseUrl', 'entityId', 'token']],
])('%o: the wrong fields are %o', (typed, fields) => expect(wrongFields(typed)).toEqual(fields));
