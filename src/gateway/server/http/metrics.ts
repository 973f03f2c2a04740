/**
 * Metrics for an operator's monitoring, in Prometheus format. Every label has few values; none identifies a customer.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { meaningOf } from '../../spec/results.ts';
import type { Observer, RequestFacts } from './observer.ts';

export type Metrics = {
  observer: Observer;
  /** Reports how many transactions one commit made durable. */
  countCommit(workCount: number): void;
  /** Reports an internal error. */
  countFault(): void;
  read(): Promise<{ text: string; contentType: string }>;
};

type Load = () => { connections: number; requests: number };

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const paymentTypes = new Set(['PA', 'DB', 'CD', 'PA.CP', '3D', 'CP', 'RV', 'RF', 'RB', 'RC', 'CB', 'CR']);
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WORKS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Both are called at each reading: the load, and whether the store accepts writes. */
export const gatewayMetrics = (load: Load, isReady: () => Promise<boolean>): Metrics => {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const registers = [register];
  const requests = new Counter({
    name: 'tillgate_requests_total',
    help: 'Answered requests; result is what the result code means for the money',
    labelNames: ['endpoint', 'method', 'status', 'result'],
    registers,
  });
  const durations = new Histogram({
    name: 'tillgate_request_duration_seconds',
    help: 'From the head of a request to its answer',
    labelNames: ['endpoint', 'method'],
    buckets: SECONDS,
    registers,
  });
  const payments = new Counter({
    name: 'tillgate_payments_total',
    help: 'Answers to requests that move money, repeats included',
    labelNames: ['payment_type', 'outcome'],
    registers,
  });
  const faults = new Counter({ name: 'tillgate_faults_total', help: 'Internal errors of the gateway', registers });
  const workCount = new Histogram({
    name: 'tillgate_store_group_size',
    help: 'Transactions made durable by one commit',
    buckets: WORKS,
    registers,
  });
  addLoad(registers, load);
  addReadiness(registers, isReady);
  const seriesOf = ({ endpoint, method, status, result, type }: MetricKey) => ({
    requests: requests.labels({ endpoint, method, status, result }),
    durations: durations.labels({ endpoint, method }),
    payments: type === '' ? undefined : payments.labels({ payment_type: type, outcome: result }),
  });
  /** The series of equal answers, looked up once. Each label has few values, so there are few of them. */
  const cachedSeries = new Map<string, ReturnType<typeof seriesOf>>();
  const countAnswer = (facts: RequestFacts): void => {
    const metricKey = metricKeyOf(facts);
    const key = Object.values(metricKey).join(' ');
    const series = cachedSeries.get(key) ?? seriesOf(metricKey);
    cachedSeries.set(key, series);
    series.requests.inc();
    series.durations.observe(facts.durationMs / 1000);
    series.payments?.inc();
  };
  return {
    observer: { onAnswer: countAnswer },
    countCommit: (count) => workCount.observe(count),
    countFault: () => faults.inc(),
    read: async () => ({ text: await register.metrics(), contentType: register.contentType }),
  };
};

/** The labels of an answer. */
type MetricKey = { endpoint: string; method: string; status: string; result: string; type: string };

const metricKeyOf = ({
  endpoint = 'none',
  method,
  status,
  resultCode,
  paymentType: type = '',
}: RequestFacts): MetricKey => ({
  endpoint,
  method: methods.has(method) ? method : 'other',
  status: String(status),
  result: resultCode === undefined ? 'none' : meaningOf(resultCode),
  type: type === '' || paymentTypes.has(type) ? type : 'other',
});

const addLoad = (registers: Registry[], load: Load): void => {
  new Gauge({
    name: 'tillgate_requests_under_way',
    help: 'Requests that have no answer yet',
    registers,
    collect() {
      this.set(load().requests);
    },
  });
  new Gauge({
    name: 'tillgate_connections',
    help: 'Open connections',
    registers,
    collect() {
      this.set(load().connections);
    },
  });
};

const addReadiness = (registers: Registry[], isReady: () => Promise<boolean>): void => {
  new Gauge({
    name: 'tillgate_ready',
    help: '1 if the gateway may receive requests: it has started, and its store accepts writes; otherwise 0',
    registers,
    async collect() {
      this.set((await isReady()) ? 1 : 0);
    },
  });
};
