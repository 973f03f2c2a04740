import { expect, test } from 'vitest';
import { gatewayMetrics } from '../../../../src/gateway/server/http/metrics.ts';
import type { RequestFacts } from '../../../../src/gateway/server/http/observer.ts';

const facts = (extra: Partial<RequestFacts> = {}): RequestFacts => ({
  requestId: '1'.repeat(32),
  method: 'POST',
  endpoint: '/v1/payments',
  status: 200,
  resultCode: '000.100.110',
  entityId: '2'.repeat(32),
  paymentId: '3'.repeat(32),
  paymentType: 'DB',
  durationMs: 12,
  bytes: 700,
  ...extra,
});

let isReady = true;
const metricsAfter = async (...requests: RequestFacts[]): Promise<string> => {
  const metrics = gatewayMetrics(
    () => ({ connections: 3, requests: 2 }),
    async () => isReady,
  );
  for (const each of requests) metrics.observer.onAnswer(each);
  metrics.countCommit(7);
  metrics.countFault();
  return (await metrics.read()).text;
};

test('counts requests, payments, durations, requests in progress, groups and internal errors', async () => {
  const declined = facts({ status: 400, resultCode: '800.100.151' });
  const lines = (await metricsAfter(facts(), facts(), declined)).split('\n');
  const okLabels = 'endpoint="/v1/payments",method="POST",status="200",result="approved"';
  expect(lines).toContain(`tillgate_requests_total{${okLabels}} 2`);
  expect(lines).toContain('tillgate_payments_total{payment_type="DB",outcome="approved"} 2');
  expect(lines).toContain('tillgate_payments_total{payment_type="DB",outcome="declined"} 1');
  expect(lines).toContain('tillgate_request_duration_seconds_count{endpoint="/v1/payments",method="POST"} 3');
  expect(lines).toContain('tillgate_requests_under_way 2');
  expect(lines).toContain('tillgate_connections 3');
  expect(lines).toContain('tillgate_store_group_size_sum 7');
  expect(lines).toContain('tillgate_faults_total 1');
  expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true);
});

test('the number of series stays small, whatever strangers send', async () => {
  const strangeRequests = Array.from({ length: 500 }, (_, index) => {
    const { endpoint, ...rest } = facts({ method: `M${index}`, paymentType: `T${index}`, resultCode: `999.${index}` });
    return { ...rest, requestId: String(index), paymentId: String(index), entityId: String(index) };
  });
  const text = await metricsAfter(...strangeRequests);
  const series = text.split('\n').filter((line) => /^tillgate_(requests|payments)_total\{/.test(line));
  expect(series).toEqual([
    'tillgate_requests_total{endpoint="none",method="other",status="200",result="unknown"} 500',
    'tillgate_payments_total{payment_type="other",outcome="unknown"} 500',
  ]);
});

test.each([true, false])('readiness is a metric as well: %s', async (isStoreReady) => {
  isReady = isStoreReady;
  expect((await metricsAfter()).split('\n')).toContain(`tillgate_ready ${isStoreReady ? 1 : 0}`);
});

test('contains no ids', async () => {
  const text = await metricsAfter(facts());
  for (const digit of '123') expect(text).not.toContain(digit.repeat(32));
});
