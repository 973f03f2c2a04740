/** Who may create a program's key, and who is responsible for it. */
import { expect, test } from 'vitest';
import { type ApiPorts, localApi } from '../../src/api/app.ts';
import type { Role } from '../../src/api/contract/roles.ts';
import { type SessionScript, scriptedSessions } from '../support/screens/stage.ts';

const HOST = '127.0.0.1:8800';

/** A till where a person with this role is signed in, and the requests to its service. */
const till = (role: Role | undefined, script?: SessionScript) => {
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
  const sessions = scriptedSessions(role, script);
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
  return { calls, make, send, spent: sessions.spentApprovals };
};

test.each<Role>(['cashier', 'technician'])('a %s cannot create a key without a manager’s approval', async (role) => {
  const { make, calls } = till(role);
  expect(await make()).toEqual({ status: 403, permission: 'approveKey' });
  expect(await make({ 'x-override': 'Max-pairTerminal' })).toEqual({ status: 403, permission: 'approveKey' });
  expect(calls).toEqual([]);
});

test('a key has its creator, a technician, and its approver, a manager', async () => {
  const { make, calls, spent } = till('technician');
  expect((await make({ 'x-override': 'Max-approveKey' })).status).toBe(201);
  expect(calls).toEqual([['makePosKey', { name: 'Kiosk' }, { by: expect.anything(), approver: expect.anything() }]]);
  expect(calls).toMatchObject([[{}, {}, { by: { name: 'Tess', role: 'technician' }, approver: { name: 'Max' } }]]);
  expect(spent).toEqual(['approveKey']);
});

test('a manager who creates a key also approves it, without a second PIN', async () => {
  const { make, calls } = till('manager');
  expect((await make()).status).toBe(201);
  expect(calls).toMatchObject([[{}, {}, { by: { name: 'Max' }, approver: { name: 'Max' } }]]);
});

test('on a till without staff a key needs no approval', async () => {
  const { make, calls } = till(undefined, { people: {} });
  expect((await make()).status).toBe(201);
  expect(calls).toMatchObject([['makePosKey', { name: 'Kiosk' }, { by: { permissions: expect.anything() } }]]);
});
