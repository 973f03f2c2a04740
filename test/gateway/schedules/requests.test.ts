/** Creating, running, changing and ending schedules over the host API. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { idOf } from '../../support/gateway/gateway.ts';
import { advanceTo, monthlySchedule, type Rig, SCHEDULES, scheduleRig, storedCard } from './rig.ts';

let rig: Rig;
let card: string;
beforeEach(async () => {
  rig = await scheduleRig();
  card = await storedCard(rig);
});
afterEach(async () => {
  expect(rig.reported).toEqual([]);
  await rig.close();
});

const set = (parameters = {}) => rig.post(SCHEDULES, monthlySchedule(card, parameters));
const accepted = async (parameters = {}) => {
  const reply = await set(parameters);
  expect(reply.status, reply.text).toBe(200);
  return reply;
};
const payments = async (merchantTransactionId: string) => {
  const { body } = await rig.get('v1/query', { merchantTransactionId });
  return (body['payments'] ?? []) as readonly Record<string, unknown>[];
};

test('the smallest request runs on the first of each month, as the merchant’s part of a series', async () => {
  const reply = await set({ descriptor: 'Magazine', 'customParameters[issue]': 'printed', 'job.name': 'Magazine' });
  expect(reply).toMatchObject({
    status: 200,
    code: '000.100.110',
    body: {
      registrationId: card,
      paymentType: 'SD',
      paymentBrand: 'VISA',
      amount: '9.90',
      currency: 'EUR',
      card: { last4Digits: '0000' },
      customParameters: { issue: 'printed' },
      job: { month: '*', dayOfMonth: '1', name: 'Magazine' },
      plan: { active: true, paymentType: 'DB', expression: '0 0 0 1 * ? *', nextRun: '2026-02-01 00:00:00+0000' },
      ndc: expect.stringMatching(/^8a82/),
    },
  });
  expect(reply.text).not.toContain('4200000000000000');
  await advanceTo(rig, '2026-03-11T12:00:00Z');
  const found = await payments(idOf(reply));
  expect(found).toHaveLength(2);
  expect(found[0]).toMatchObject({
    paymentType: 'DB',
    amount: '9.90',
    descriptor: 'Magazine',
    registrationId: card,
    scheduleId: idOf(reply),
    merchantTransactionId: idOf(reply),
    customParameters: { issue: 'printed' },
    standingInstruction: { type: 'RECURRING', recurringType: 'SUBSCRIPTION', mode: 'REPEATED', source: 'MIT' },
    result: { code: '000.100.110' },
    timestamp: '2026-02-01 00:00:00+0000',
  });
  const { plan } = await rig.planOf(idOf(reply));
  expect(plan).toMatchObject({ active: true, nextRun: '2026-04-01 00:00:00+0000' });
  expect(plan.runs.map(({ dueDate, state }) => [dueDate.slice(0, 10), state])).toEqual([
    ['2026-03-01', 'done'],
    ['2026-02-01', 'done'],
  ]);
  expect(plan.runs.at(-1)?.paymentId).toBe(found[0]?.['id']);
});

test('a series continues with the scheme’s reference of its first payment, and its own reference', async () => {
  const first = await rig.post('v1/payments', {
    'card.number': '4200000000000000',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    amount: '9.90',
    currency: 'EUR',
    paymentType: 'DB',
    createRegistration: 'true',
    'standingInstruction.type': 'RECURRING',
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.source': 'CIT',
  });
  const registrationId = String(first.body['registrationId']);
  const reference = first.body['standingInstruction'] as { initialTransactionId: string };
  const reply = await rig.post(SCHEDULES, monthlySchedule(registrationId, { merchantTransactionId: 'magazine-0001' }));
  await advanceTo(rig, '2026-02-09T12:00:00Z');
  const [run] = await payments('magazine-0001');
  expect(run).toMatchObject({ scheduleId: idOf(reply), result: { code: '000.100.110' } });
  const stored = await rig.gateway.store.payment(String(run?.['id']));
  expect(reference.initialTransactionId).toMatch(/./);
  expect(stored?.facts.echo['standingInstruction.mode']).toBe('REPEATED');
});

test.each([
  ['no job', { 'job.month': '', 'job.dayOfMonth': '' }, '100.250.250', 'job.expression'],
  ['a job without a time', { 'job.month': '', 'job.dayOfMonth': '', 'job.name': 'x' }, '100.250.100', 'job.expression'],
  ['both day fields', { 'job.dayOfWeek': 'MON' }, '100.250.120', 'job.dayOfMonth'],
  ['both day fields in an expression', { 'job.expression': '0 0 0 1 * MON' }, '100.250.120', 'job.expression'],
  ['no day field', { 'job.expression': '0 0 0 ? * ?' }, '100.250.120', 'job.expression'],
  ['30 February', { 'job.month': '2', 'job.dayOfMonth': '30' }, '100.250.120', 'job.dayOfMonth'],
  ['a year in the past', { 'job.year': '2025' }, '100.250.120', 'job.year'],
  ['an end before the first run', { 'job.endDate': '2026-01-31 23:59:59' }, '100.250.120', 'job.endDate'],
  ['every second', { 'job.expression': '* * * * * ?' }, '100.250.120', 'job.expression'],
  ['every minute', { 'job.expression': '0 * * * * ?' }, '100.250.120', 'job.expression'],
  ['a duration without its unit', { 'job.durationNumber': '1' }, '100.250.106', 'job.durationUnit'],
  [
    'a duration of nothing',
    { 'job.durationNumber': '0', 'job.durationUnit': 'YEAR' },
    '100.250.106',
    'job.durationNumber',
  ],
  [
    'a notice of ages',
    { 'job.noticeNumber': '9999999999999999', 'job.noticeUnit': 'YEAR' },
    '100.250.107',
    'job.noticeNumber',
  ],
  [
    'notice to the end of a missing duration',
    { 'job.noticeCallable': 'DURATION_END' },
    '100.250.106',
    'job.durationUnit',
  ],
  ['a refund', { paymentType: 'RF' }, '100.360.201', 'paymentType'],
  ['a first payment', { 'standingInstruction.mode': 'INITIAL' }, '200.300.404', 'standingInstruction.mode'],
  ['a shopper’s payment', { 'standingInstruction.source': 'CIT' }, '200.300.404', 'standingInstruction.source'],
  ['a card', { 'card.number': '4200000000000000' }, '200.300.404', 'card.number'],
  ['a malformed field', { 'job.hour': '24' }, '200.300.404', 'job.hour'],
])('refuses %s by name', async (_, parameters, code, name) => {
  const reply = await set(parameters);
  expect(reply).toMatchObject({ status: 400, code });
  expect(reply.body['result']).toMatchObject({
    parameterErrors: expect.arrayContaining([expect.objectContaining({ name })]),
  });
});

test('no schedule is made for a zero amount, nor for another channel’s, a deleted or an unknown registration', async () => {
  expect(await set({ amount: '0.00' })).toMatchObject({ code: '100.550.300' });
  expect(await set({ registrationId: '0'.repeat(32) })).toMatchObject({ status: 404, code: '100.150.200' });
  const other = { entityId: '00000000000000000000000000000002' };
  const otherHeaders = { authorization: 'Bearer other-token' };
  expect(await rig.post(SCHEDULES, { ...monthlySchedule(card), ...other }, otherHeaders)).toMatchObject({
    status: 404,
  });
  const reply = await set();
  for (const step of ['deschedule', 'reschedule']) {
    expect(await rig.post(`${SCHEDULES}/${idOf(reply)}/${step}`, other, otherHeaders)).toMatchObject({ status: 404 });
  }
  expect(await rig.planOf(idOf(reply))).toMatchObject({ plan: { active: true } });
  await rig.remove(`v1/registrations/${card}`);
  expect(await set()).toMatchObject({ status: 400, code: '100.150.200' });
});

test('a repeated key gets the same schedule; with another body it is refused', async () => {
  const key = { 'idempotency-key': 'schedule-1' };
  const first = await rig.post(SCHEDULES, monthlySchedule(card), key);
  expect((await rig.post(SCHEDULES, monthlySchedule(card), key)).text).toBe(first.text);
  expect(await rig.post(SCHEDULES, monthlySchedule(card, { amount: '1.00' }), key)).toMatchObject({
    code: '800.110.100',
  });
  const { body } = await rig.get(`${SCHEDULES}/${card}`);
  expect(body['schedules']).toHaveLength(1);
});

test('RS replaces the plan; parameters that were not sent stay', async () => {
  const reply = await accepted({ 'customer.givenName': 'Jane', 'customer.surname': 'Jones', descriptor: 'Magazine' });
  // A refusal leaves the plan unchanged.
  const refusedChanges: Record<string, string>[] = [
    { registrationId: '0'.repeat(32) },
    { 'job.expression': '* * * * * ?' },
  ];
  for (const refusedChange of refusedChanges) {
    expect((await rig.post(`${SCHEDULES}/${idOf(reply)}/reschedule`, refusedChange)).status).toBeGreaterThanOrEqual(
      400,
    );
    expect((await rig.planOf(idOf(reply))).plan.active).toBe(true);
  }
  const change = await rig.post(`${SCHEDULES}/${idOf(reply)}/reschedule`, {
    amount: '12.50',
    currency: 'EUR',
    paymentType: 'RS',
    'job.expression': '0 0 12 15 * ?',
  });
  expect(change).toMatchObject({
    status: 200,
    body: {
      referencedId: idOf(reply),
      amount: '12.50',
      customer: { givenName: 'Jane', surname: 'Jones' },
      plan: { active: true, expression: '0 0 12 15 * ? *', nextRun: '2026-01-15 12:00:00+0000' },
    },
  });
  expect((change.body['job'] as object) ?? {}).toEqual({ expression: '0 0 12 15 * ?' });
  expect(await rig.planOf(idOf(reply))).toMatchObject({ plan: { active: false, ended: { reason: 'rescheduled' } } });
  await advanceTo(rig, '2026-02-09T12:00:00Z');
  expect(await payments(idOf(reply))).toEqual([]);
  expect(await payments(idOf(change))).toHaveLength(1);
  // Any schedule of the chain stands for the active one.
  const third = await rig.post(`${SCHEDULES}/${idOf(reply)}/reschedule`, { amount: '1.00', currency: 'EUR' });
  expect(third).toMatchObject({ body: { referencedId: idOf(change), plan: { expression: '0 0 12 15 * ? *' } } });
  const list = await rig.get(`${SCHEDULES}/${idOf(change)}`);
  expect((list.body['schedules'] as { plan: { active: boolean } }[]).map(({ plan }) => plan.active)).toEqual([
    true,
    false,
    false,
  ]);
});

test.each(['POST', 'DELETE'])('DS by %s for any schedule of a chain ends the plan, once', async (method) => {
  const reply = await set();
  const change = await rig.post(`${SCHEDULES}/${idOf(reply)}/reschedule`, { amount: '2.00', currency: 'EUR' });
  const end = () =>
    method === 'POST' ? rig.post(`${SCHEDULES}/${idOf(reply)}/deschedule`) : rig.remove(`${SCHEDULES}/${idOf(reply)}`);
  expect(await end()).toMatchObject({
    status: 200,
    body: { id: idOf(change), paymentType: 'DS', plan: { active: false, ended: { reason: 'descheduled' } } },
  });
  expect(await end()).toMatchObject({ status: 400, code: '100.360.303' });
  expect(await rig.post(`${SCHEDULES}/${idOf(reply)}/reschedule`, { amount: '3.00', currency: 'EUR' })).toMatchObject({
    status: 400,
    code: '100.360.300',
  });
  await advanceTo(rig, '2026-03-11T12:00:00Z');
  expect(await payments(idOf(change))).toEqual([]);
});

test('unknown ids are reported as such, in any format', async () => {
  for (const id of ['0'.repeat(32), 'x', '%00', "'--"]) {
    expect((await rig.get(`${SCHEDULES}/${id}`)).status).toBe(404);
    expect((await rig.post(`${SCHEDULES}/${id}/deschedule`)).status).toBe(404);
    expect((await rig.remove(`${SCHEDULES}/${id}`)).status).toBe(404);
  }
});

test('a deleted registration ends the plan with an explanation, and nothing is charged', async () => {
  const reply = await set();
  await rig.remove(`v1/registrations/${card}`);
  expect(await rig.planOf(idOf(reply))).toMatchObject({ plan: { active: false, ended: { reason: 'registration' } } });
  await advanceTo(rig, '2026-02-09T12:00:00Z');
  const { plan } = await rig.planOf(idOf(reply));
  expect(plan).toMatchObject({
    active: false,
    ended: { reason: 'registration', description: 'Its registration was deleted, or has expired.' },
    runs: [{ state: 'done', result: { code: '100.150.200' } }],
  });
  expect(await payments(idOf(reply))).toEqual([]);
  // With another account the series continues.
  const next = await storedCard(rig);
  const revivedReply = await rig.post(`${SCHEDULES}/${idOf(reply)}/reschedule`, { registrationId: next });
  expect(revivedReply).toMatchObject({ status: 200, body: { registrationId: next, plan: { active: true } } });
});
