/** Who may make a key that a program sells with, and in whose name it stands. */
import { expect, test } from 'vitest';
import { type ApiPorts, localApi } from '../../src/api/app.ts';
import type { Role } from '../../src/api/contract/roles.ts';
import { type SessionScript, scriptedSessions } from '../support/screens/stage.ts';

const HOST = '127.0.0.1:8800';

/** A till at which somebody of this role is signed in, and what its service was asked to do. */
const till = (as: Role | undefined, script?: SessionScript) => {
  const calls: unknown[] = [];
  const service = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...input: unknown[]) => {
          calls.push([name, ...input]);
          return { name: 'Kiosk', key: 'k' };
        },
    },
  );
  const areas = {
    selling: service,
    books: service,
    store: service,
    devices: service,
    paper: service,
    goingLive: service,
    machine: service,
  };
  const sessions = scriptedSessions(as, script);
  const app = localApi({ sessions, ...areas, events: service } as unknown as ApiPorts, { hosts: () => [HOST] });
  const send = async (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const answer = await app.request(`http://${HOST}${path}`, {
      method,
      headers: {
        ...{ host: HOST, cookie: 'tillgate-8800=x', 'x-csrf-token': 'a-word', ...headers },
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, permission: /"permission":"(\w+)"/.exec(text)?.[1] };
  };
  const make = (headers?: Record<string, string>) => send('POST', '/api/pos-keys', headers, { name: 'Kiosk' });
  return { calls, make, send, spent: sessions.spent };
};

test.each<Role>(['cashier', 'technician'])('a %s makes no key alone: the manager’s word is asked for', async (role) => {
  const { make, calls } = till(role);
  expect(await make()).toEqual({ status: 403, permission: 'approveKey' });
  expect(await make({ 'x-override': 'Max-pairTerminal' })).toEqual({ status: 403, permission: 'approveKey' });
  expect(calls).toEqual([]);
});

test('with a manager’s word the key is the technician’s who made it, and the manager’s who approved it', async () => {
  const { make, calls, spent } = till('technician');
  expect((await make({ 'x-override': 'Max-approveKey' })).status).toBe(201);
  expect(calls).toEqual([['makePosKey', { name: 'Kiosk' }, { by: expect.anything(), approver: expect.anything() }]]);
  expect(calls).toMatchObject([[{}, {}, { by: { name: 'Tess', role: 'technician' }, approver: { name: 'Max' } }]]);
  expect(spent).toEqual(['approveKey']);
});

test('a manager approves a key by making it, and needs no second PIN', async () => {
  const { make, calls } = till('manager');
  expect((await make()).status).toBe(201);
  expect(calls).toMatchObject([[{}, {}, { by: { name: 'Max' }, approver: { name: 'Max' } }]]);
});

test('without people a key is made as before, approved by nobody', async () => {
  const { make, calls } = till(undefined, { people: {} });
  expect((await make()).status).toBe(201);
  expect(calls).toMatchObject([['makePosKey', { name: 'Kiosk' }, { by: { permissions: expect.anything() } }]]);
});
